//! Runs a property and tells what came of it.

mod explaining;
mod generation;
mod health;
mod pool;
mod reduction;
mod run;
mod varying;
