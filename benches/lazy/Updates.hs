{-# LANGUAGE BangPatterns #-}
-- The same as examples-c/lazy/updates.c: a table of thunks that grows old, of which some are replaced and others forced.
module Main (main) where

import Data.Array.Base (unsafeRead, unsafeWrite)
import Data.Array.IO (IOArray, newArray)
import Data.Bits (shiftR, (.&.))
import Data.Word (Word64)
import System.Environment (getArgs)

size :: Int
size = 20000

main :: IO ()
main = do
  args <- getArgs
  let rounds = case args of { (text : _) -> read text; _ -> 1 } :: Int
  table <- newArray (0, size - 1) 0 :: IO (IOArray Int Int)
  let go !round !i !state !total
        | round == rounds = putStrLn ("updates: " ++ show total)
        | i == size = go (round + 1) 0 state total
        | otherwise = do
            let next = state * 6364136223846793005 + 1442695040888963407 :: Word64
                at = fromIntegral (next `shiftR` 33) `rem` size
            old <- unsafeRead table at
            if i `rem` 3 /= 0
              then unsafeWrite table at (later old i) >> go round (i + 1) next total
              else old `seq` go round (i + 1) next (total + old)
  go 0 0 1 0

-- A thunk, as C makes one.
later :: Int -> Int -> Int
later old i = (old + i) .&. 0xffff
