//! The attribute and derive macros of `ablate-check`.
