{-# LANGUAGE BangPatterns, MagicHash, UnboxedTuples #-}
-- The soak in Haskell: `Soak SECONDS +RTS -M24m --nonmoving-gc -T`. Sizes, order and lines are those of soak.h.
module Main (main) where
import Common (arg, lcg, now)
import Control.Monad
import Data.IORef
import GHC.Exts
import GHC.IO (IO (..))
import GHC.Stats
import System.CPUTime
import System.Exit
import System.IO
import Text.Printf

-- An object of the cache: a header, its length and its words, the first of which is its slot.
data Object = Object !Int (MutableByteArray# RealWorld) | None
data Cell = Cell !Int Cell | Nil
data Cache = Cache (MutableArray# RealWorld Object)

slots, liveWords, turnLength :: Int
slots = 65536
liveWords = 2 * 1024 * 1024
turnLength = 20000

-- Mutable words: the generator's state, and the words that live.
data Numbers = Numbers (MutableByteArray# RealWorld)

number :: Numbers -> Int -> IO Int
number (Numbers a) (I# i) = IO $ \s -> case readIntArray# a i s of (# s', n #) -> (# s', I# n #)
setNumber :: Numbers -> Int -> Int -> IO ()
setNumber (Numbers a) (I# i) (I# n) = IO $ \s -> (# writeIntArray# a i n s, () #)

draw :: Numbers -> Int -> IO Int
draw ns below = do
  x <- lcg <$> number ns 0
  setNumber ns 0 x
  pure $! (x `quot` 256) `rem` below

wordsOf :: Numbers -> Int -> IO Int
wordsOf ns turn = max 3 <$> case turn `rem` 4 of
  0 -> pure 3
  1 -> pure 300
  2 -> do
    a <- draw ns 8
    if a /= 0 then (2 +) <$> draw ns 20 else do
      b <- draw ns 16
      if b /= 0 then (30 +) <$> draw ns 400 else (1000 +) <$> draw ns 3000
  _ -> (2 +) <$> draw ns 120

request :: Numbers -> IO ()
request ns = do
  count <- (20 +) <$> draw ns 100
  let make !i list | i >= count = list
                   | otherwise = make (i + 1) (Cell i list)
      total !acc Nil = acc
      total !acc (Cell v rest) = total (acc + v) rest
  when (total 0 (make 0 Nil) < 0) exitFailure
{-# NOINLINE request #-}

at :: Cache -> Int -> IO Object
at (Cache a) (I# i) = IO $ readArray# a i
store :: Cache -> Int -> Object -> IO ()
store (Cache a) (I# i) object = IO $ \s -> (# writeArray# a i object s, () #)

put :: Numbers -> Cache -> Int -> IO ()
put ns cache turn = do
  slot <- draw ns slots
  size <- wordsOf ns turn
  let clear = do
        alive <- number ns 1
        here <- at cache slot
        case here of
          Object n _ -> drop' slot n >> clear
          None -> when (alive + size > liveWords) $ do
            other <- draw ns slots
            found <- at cache other
            case found of
              Object n _ -> drop' other n
              None -> pure ()
            clear
      drop' i n = do
        store cache i None
        alive <- number ns 1
        setNumber ns 1 (alive - n)
  clear
  let !(I# bytes) = (size - 2) * 8
      !(I# s0) = slot
  object <- IO $ \s -> case newByteArray# bytes s of (# s', b #) -> (# writeIntArray# b 0# s0 s', Object size b #)
  store cache slot object
  alive <- number ns 1
  setNumber ns 1 (alive + size)

residentKib :: IO Int
residentKib = do
  text <- readFile "/proc/self/statm"
  pure $! read (words text !! 1) * 4

main :: IO ()
main = do
  seconds <- arg 1 60
  ns <- IO $ \s -> case newByteArray# 16# s of (# s', a #) -> (# s', Numbers a #)
  setNumber ns 0 42
  setNumber ns 1 slots
  let !(I# n) = slots
  cache <- IO $ \s -> case newArray# n None s of (# s', a #) -> (# s', Cache a #)
  begun <- now
  lastly <- getCPUTime >>= newIORef
  before <- newIORef (0 :: Int)
  hSetBuffering stdout LineBuffering
  putStrLn "| operations | CPU ns each | resident KiB | majors |\n|---|---|---|---|"
  let go :: Int -> Int -> IO ()
      go !turn !tenth = when (tenth < 10) $ do
        forM_ [0 .. turnLength - 1] $ \i -> if i `rem` 4 == 0 then request ns else put ns cache turn
        time <- now
        if turn `rem` 4 == 3 && time - begun > fromIntegral (seconds * (tenth + 1)) / 10
          then do
            cpu <- getCPUTime
            was <- readIORef lastly
            done <- readIORef before
            let operations = (turn + 1) * turnLength
            kib <- residentKib
            stats <- getRTSStats
            printf "| %d | %.0f | %d | %d |\n" operations
              (fromIntegral (cpu - was) / 1000 / fromIntegral (operations - done) :: Double) kib (major_gcs stats)
            writeIORef lastly cpu
            writeIORef before operations
            go (turn + 1) (tenth + 1)
          else go (turn + 1) tenth
  go 0 0
