//! Stub.
pub fn run() -> anyhow::Result<std::process::ExitCode> { todo!() }
