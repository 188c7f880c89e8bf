//! The attribute and derive macros of `ablate-check`.

mod arbitrary;
mod machine;
mod property;

use proc_macro::TokenStream;

/// Makes a function a property: a `#[test]` that draws what the function takes.
///
/// The function takes either a `&mut TestCase` alone, or arguments that are drawn from their types
/// (or by the generator of `#[from(…)]`), perhaps after a `&mut TestCase`. It may return a
/// `Result`, and may be `async`. `let x = tc.draw(…)` in it is shown under the name `x`.
///
/// Attributes: `cases = 500`, `seed = 7`, `example = (vec![], 3)` (arguments that are tried first;
/// any number of them), `regression = "1.t.5"` (any number of them), `block_on = path::to::function`, `settings = expression`, and any other name is a method of
/// `Settings`: `patience = 100`, `health_checks = false`. With `workers = 4` the property runs on so
/// many threads, and its body must be `Sync`.
#[proc_macro_attribute]
pub fn property(attribute: TokenStream, item: TokenStream) -> TokenStream {
    property::expand(attribute.into(), item.into())
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Derives `Arbitrary` for structs and enums, recursive ones too.
///
/// Fields are drawn from their types, or by the generator of `#[arbitrary(from = …)]`. Of an enum
/// the first variant is the simplest; `#[arbitrary(weight = 3)]` makes a variant more likely, and
/// `weight = 0` leaves it out. Variants that hold the enum itself are the rarer the deeper they
/// stand.
#[proc_macro_derive(Arbitrary, attributes(arbitrary))]
pub fn derive_arbitrary(item: TokenStream) -> TokenStream {
    arbitrary::expand(item.into())
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Makes the methods of an `impl` block a machine for stateful testing: `Type::machine()`.
///
/// A method with `#[rule]` takes `&mut self` and arguments that are drawn from their types, or by
/// the generator of `#[from(…)]`; `#[rule(when = condition)]` is run only while the condition on
/// `self` holds. A method with `#[invariant]` takes `&self` and is called at the start and after
/// every step.
#[proc_macro_attribute]
pub fn machine(attribute: TokenStream, item: TokenStream) -> TokenStream {
    machine::expand(attribute.into(), item.into())
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
