-- The large sample of heap.c on the Glasgow runtime: so many objects of five words and what profiling adds to each. With
-- -i0 every collection is a sample; prints nanoseconds of CPU time for each object and sample.
module Main (main) where

import Control.Monad (replicateM_)
import System.CPUTime (getCPUTime)
import System.Environment (getArgs)
import System.Mem (performMajorGC)

data Node = Nil | Node !Int !Int !Int Node

build :: Int -> Node -> Node
build 0 list = list
build n list = let next = Node n n n list in next `seq` build (n - 1) next

total :: Node -> Int -> Int
total Nil sum_ = sum_
total (Node a _ _ rest) sum_ = let more = sum_ + a in more `seq` total rest more

main :: IO ()
main = do
  [number] <- map read <$> getArgs
  let list = build number Nil
  list `seq` performMajorGC
  begun <- getCPUTime
  replicateM_ 5 performMajorGC
  ended <- getCPUTime
  print (total list 0)
  print (fromIntegral (ended - begun) / 1000 / 5 / fromIntegral number :: Double)
