//! Runs tests: local processes, limits, work directories. It does not know what a pass is.
