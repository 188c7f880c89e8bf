//! Property-based testing whose failures reduce themselves.
