{-# LANGUAGE BangPatterns #-}
{-# OPTIONS_GHC -fno-cpr-anal #-}
-- The same as examples-c/lazy/selectors.c. The pairs come out of a function that is not seen through, so that what is
-- taken out of them waits in selector thunks.
module Main (main) where

import Data.Array.Base (unsafeRead, unsafeWrite)
import Data.Array.IO (IOArray, newArray)
import Data.IORef (newIORef, readIORef)
import System.Environment (getArgs)

data A = Nil | N Int | C A A

pairs :: Int -> A -> ((A, A), A)
pairs n x = let inner = (N n, x) in inner `seq` (inner, x)
{-# NOINLINE pairs #-}

cell :: A -> Int -> A
cell x i = let outer = pairs i x in outer `seq` selected outer i

-- Nobody knows here that the pair is there already.
selected :: ((A, A), A) -> Int -> A
selected outer i = if odd i then C (fst one) other else C (snd one) other
  where
    one = fst outer
    {-# NOINLINE one #-}
    other = snd outer
{-# NOINLINE selected #-}

make :: Int -> A
make count = go Nil 0
  where
    go !x i = if i == count then x else go (cell x i) (i + 1)
{-# NOINLINE make #-}

total :: Int -> A -> Int
total !sum (C x rest) = total (case x of N n -> sum + n; _ -> sum) rest
total sum _ = sum

main :: IO ()
main = do
  args <- getArgs
  let rounds = case args of { (text : _) -> read text; _ -> 8 } :: Int
  counted <- newIORef 1000
  ring <- newArray (0, 7) Nil :: IO (IOArray Int A)
  let go i !sum
        | i == rounds = putStrLn ("selectors: " ++ show sum)
        | otherwise = do
            -- Not known to be the same each time, so that each list is made anew.
            count <- readIORef counted
            let list = make count
            list `seq` unsafeWrite ring (i `mod` 8) list
            if i `mod` 8 == 7
              then unsafeRead ring 0 >>= \first -> go (i + 1) (total sum first)
              else go (i + 1) sum
  go 0 0
