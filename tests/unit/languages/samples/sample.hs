module Data.Queue (Queue, push) where

import qualified Data.Map as M
import Data.List (sort)

-- | A queue of things.
data Queue a = Empty | Node a (Queue a)
  deriving (Show)

newtype Wrapper a = Wrapper { unwrap :: a }
type Name = String

class Container f where
  empty :: f a
  insert :: a -> f a -> f a

instance Container Queue where
  empty = Empty
  insert x q = push x q

-- | Adds at the end.
push :: a -> Queue a -> Queue a
push x Empty = Node x Empty
push x (Node y q) = Node y (push x q)

limit :: Int
limit = 10
