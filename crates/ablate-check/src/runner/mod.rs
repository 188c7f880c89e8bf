//! Runs a property and tells what came of it.

mod health;
mod reduction;
mod run;
