//! `#[from(…)]`: the generator that an argument is drawn by.

use syn::{Error, Expr, Meta, PatType, Result};

/// Takes the generator off an argument that names one.
pub(crate) fn take(parameter: &mut PatType) -> Result<Option<Expr>> {
    let mut generator = Ok(None);
    parameter.attrs.retain(|attribute| {
        if !attribute.path().is_ident("from") {
            return true;
        }
        generator = match &attribute.meta {
            Meta::List(list) if !list.tokens.is_empty() => attribute.parse_args().map(Some),
            _ => Err(Error::new_spanned(
                attribute,
                "a generator is missing here: write for example `#[from(0..10u8)]`",
            )),
        };
        false
    });
    generator
}
