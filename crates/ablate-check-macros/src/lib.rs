//! The attribute and derive macros of `ablate-check`.

mod arbitrary;
mod generator;
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
/// `self` holds. One that takes `&mut Step` or `&mut TestCase` as well gets that of its step: to draw
/// for itself, and to use a `Pool` of values that earlier steps made. A method with `#[invariant]` takes `&self` and is called at the start and after
/// every step.
#[proc_macro_attribute]
pub fn machine(attribute: TokenStream, item: TokenStream) -> TokenStream {
    machine::expand(attribute.into(), item.into())
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use quote::quote;

    use super::*;

    fn check_error(result: syn::Result<TokenStream>, expected: &str) {
        let error = result.expect_err("it is wrong").to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn what_is_wrong_with_a_property_is_said() {
        let wrong = |item| property::expand(quote!(), item);
        check_error(
            wrong(quote!(
                fn f<T>(x: T) {}
            )),
            "can't be generic",
        );
        check_error(
            wrong(quote!(
                fn f(&self) {}
            )),
            "is no method",
        );
        check_error(
            wrong(quote!(
                fn f(x: u8, tc: &mut TestCase) {}
            )),
            "comes first",
        );
        check_error(
            wrong(quote!(
                fn f() {}
            )),
            "draws nothing",
        );
        check_error(
            wrong(quote!(
                fn f(#[from()] x: u8) {}
            )),
            "a generator is missing here",
        );
        check_error(
            wrong(quote!(
                struct S;
            )),
            "only a function",
        );
        let example = property::expand(
            quote!(example = (1)),
            quote!(
                fn f(tc: &mut TestCase) {}
            ),
        );
        check_error(example, "take the values as arguments");
        check_error(
            property::expand(
                quote!(a::b = 1),
                quote!(
                    fn f(x: u8) {}
                ),
            ),
            "a name and a value",
        );
        check_error(
            property::expand(
                quote!(cases),
                quote!(
                    fn f(x: u8) {}
                ),
            ),
            "a name and a value",
        );
    }

    #[test]
    fn what_is_wrong_with_a_type_is_said() {
        let wrong = |item| arbitrary::expand(item);
        check_error(wrong(quote!(union U { a: u8 })), "union");
        check_error(
            wrong(quote!(
                enum Never {}
            )),
            "without variants",
        );
        let attribute = quote!(
            struct S(#[arbitrary(weihgt = 3)] u8);
        );
        check_error(wrong(attribute), "a field has no such option");
    }

    #[test]
    fn what_is_wrong_with_a_machine_is_said() {
        let wrong = |item| machine::expand(quote!(), item);
        check_error(
            wrong(quote!(impl Drop for M {})),
            "no trait's implementation",
        );
        check_error(
            wrong(quote!(impl M { #[rule] fn f(x: u8) {} })),
            "`&mut self`",
        );
        let invariant = quote!(impl M { #[invariant] fn f(&self, x: u8) {} });
        check_error(wrong(invariant), "takes only `&self`");
        let rule = quote!(impl M { #[rule(wenn = true)] fn f(&mut self) {} });
        check_error(wrong(rule), "a rule has no such option");
        check_error(wrong(quote!(impl M {})), "without rules");
        let text = quote!(impl M { #[rule] fn f(&mut self, text: &str) {} });
        check_error(wrong(text), "references can't be drawn");
        let twice = quote!(impl M { #[rule] fn f(&mut self, a: &mut Step, b: &mut TestCase) {} });
        check_error(wrong(twice), "takes the step once");
        check_error(
            machine::expand(quote!(x), quote!(impl M {})),
            "takes nothing",
        );
    }

    #[test]
    fn several_workers_are_asked_for_by_another_call() {
        let call = |attribute| {
            let made = property::expand(
                attribute,
                quote!(
                    fn f(x: u8) {}
                ),
            );
            made.expect("it is right").to_string()
        };
        assert!(call(quote!(workers = 2)).contains("check_parallel"));
        assert!(!call(quote!(cases = 2)).contains("check_parallel"));
    }
}
