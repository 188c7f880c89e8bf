{-# LANGUAGE LambdaCase #-}
module Main (main, Shape (..)) where

import qualified Data.Map as Map
import Data.List (sortBy)

-- | A shape.
data Shape a = Round Double | Square { side :: Int, name :: String } | Other [a]
  deriving (Eq, Show)

class Area f where
  area :: f a -> Int
  area _ = 0

instance Area Shape where
  area (Square s _) = s * s
  area shape = case shape of
    Round r | r > 1 -> 2
    _ -> 0

twice :: (Num a) => a -> a
twice x = let two = 2 in x * two

main :: IO ()
main = do
  let numbers = [x | x <- [1 .. 10], even x]
  mapM_ (\n -> print (twice n)) numbers
  if null numbers then return () else putStrLn "done"
