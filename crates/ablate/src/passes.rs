//! The passes that a run uses, and what the command tells of them.
