//! Crate docs.
use std::collections::HashMap;
use crate::error::{Error, Result};

/// The limit.
pub const LIMIT: usize = 10;
static NAME: &str = "x";

/// A task that runs.
#[derive(Debug, Clone)]
pub struct Task<T> {
    id: u64,
    value: T,
}

pub enum State { Idle, Running(u32) }

pub trait Future {
    type Output;
    /// Polls once.
    fn poll(&mut self) -> Poll<Self::Output>;
    fn ready(&self) -> bool { true }
}

impl<T> Task<T> {
    pub fn new(id: u64) -> Self { Self::build(id) }
}

impl<T> Future for Task<T> {
    type Output = T;
    fn poll(&mut self) -> Poll<T> { self.value.take().unwrap() }
}

macro_rules! join { ($a:expr) => { $a } }

type Alias = Task<u8>;

mod tests {
    #[test]
    fn works() { assert_eq!(1, 1); }
}

union Raw { a: u8 }
