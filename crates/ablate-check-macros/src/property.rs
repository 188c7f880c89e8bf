//! `#[property]`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Error, Expr, ExprMethodCall, FnArg, Ident, Item, ItemFn, Local, Meta, Pat, PatType, Result,
    Token, Type,
};

use crate::generator;

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let arguments = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(attribute)?;
    let mut function = function(item)?;
    let Parameters {
        case,
        draws,
        patterns,
        types,
        has_case,
    } = parameters(&mut function)?;
    Namer.visit_block_mut(&mut function.block);
    let settings = Settings::of(&arguments)?;
    let body = body(&function, &settings);

    let name = &function.sig.ident;
    let visibility = &function.vis;
    let attributes = &function.attrs;
    let is_test = attributes.iter().any(|a| a.path().is_ident("test"));
    let test = (!is_test).then(|| quote!(#[::core::prelude::v1::test]));
    for example in &settings.examples {
        check_example(example, has_case, types.len())?;
    }
    let text = name.to_string();
    let full_name = quote!(::core::concat!(::core::module_path!(), "::", #text));
    let count = settings.examples.len();
    let examples = settings
        .examples
        .iter()
        .enumerate()
        .map(|(place, example)| {
            let number = place + 1;
            quote! {
                let __example: (#(#types,)*) = #example;
                ::ablate_check::check_example(
                    #full_name,
                    (#number, #count),
                    __example,
                    |(#(#patterns,)*): (#(#types,)*)| { #body },
                );
            }
        });
    let (base, calls) = (&settings.base, &settings.calls);
    let check = if settings.is_parallel {
        quote!(check_parallel)
    } else {
        quote!(check)
    };
    Ok(quote! {
        #(#attributes)*
        #test
        #visibility fn #name() {
            #(#examples)*
            #base
                .name(#full_name)
                #(#calls)*
                .#check(|#case: &mut ::ablate_check::TestCase| {
                    #(#draws)*
                    #body
                });
        }
    })
}

/// The function that is to become a property.
fn function(item: TokenStream) -> Result<ItemFn> {
    let function = match syn::parse2(item)? {
        Item::Fn(function) => function,
        other => {
            return Err(Error::new_spanned(
                other,
                "only a function can be a property: `#[property] fn name(x: u32) { … }`",
            ));
        }
    };
    match function.sig.generics.params.first() {
        Some(generic) => Err(Error::new_spanned(
            generic,
            "a property can't be generic, since nobody says what to draw: \
             name the types, as in `fn name(x: u32)`",
        )),
        None => Ok(function),
    }
}

/// An example has a value for each argument.
fn check_example(example: &Expr, has_case: bool, arguments: usize) -> Result<()> {
    if has_case {
        return Err(Error::new_spanned(
            example,
            "an example has the values of arguments, and this property draws from a test case: \
             take the values as arguments, or write `regression = \"…\"` with the choices that a \
             failure prints",
        ));
    }
    let is_wrong = match example {
        Expr::Tuple(tuple) => tuple.elems.len() != arguments,
        // Whatever computes something might make a tuple.
        Expr::Lit(_) | Expr::Paren(_) | Expr::Array(_) => true,
        _ => false,
    };
    if !is_wrong {
        return Ok(());
    }
    let places = vec!["_"; arguments].join(", ");
    let comma = if arguments == 1 { "," } else { "" };
    Err(Error::new_spanned(
        example,
        format!("an example is a tuple with a value for each argument: `({places}{comma})`"),
    ))
}

/// What a property takes.
struct Parameters {
    /// The name of the test case.
    case: TokenStream,
    /// Whether the property names it itself.
    has_case: bool,
    /// The statements that draw the other parameters.
    draws: Vec<TokenStream>,
    patterns: Vec<Pat>,
    types: Vec<Type>,
}

fn parameters(function: &mut ItemFn) -> Result<Parameters> {
    let mut parameters = Parameters {
        case: quote!(__tc),
        has_case: false,
        draws: Vec::new(),
        patterns: Vec::new(),
        types: Vec::new(),
    };
    for (place, input) in function.sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(parameter) = input else {
            return Err(Error::new_spanned(
                input,
                "a property is no method: make it a function of its own, \
                 outside of the `impl` block",
            ));
        };
        if let Type::Reference(reference) = &*parameter.ty {
            if reference.mutability.is_none() {
                return Err(Error::new_spanned(
                    reference,
                    "references can't be drawn: take a value, as `String` for `&str` or `Vec<T>` \
                     for `&[T]`, and borrow it in the body",
                ));
            }
            if place > 0 {
                return Err(Error::new_spanned(
                    parameter,
                    "the test case comes first, before what is drawn: \
                     `fn name(tc: &mut TestCase, x: u32)`",
                ));
            }
            parameters.case = parameter.pat.to_token_stream();
            parameters.has_case = true;
            continue;
        }
        let statement = draw(parameter, &parameters.case)?;
        parameters.draws.push(statement);
        parameters.patterns.push((*parameter.pat).clone());
        parameters.types.push((*parameter.ty).clone());
    }
    Ok(parameters)
}

fn draw(parameter: &mut PatType, case: &TokenStream) -> Result<TokenStream> {
    let generator = generator::take(parameter)?;
    let PatType { pat, ty, .. } = &*parameter;
    let name = shown_pattern(pat);
    let generator = match generator {
        Some(generator) => quote!(#generator),
        None => quote!(::ablate_check::any::<#ty>()),
    };
    // What goes wrong with the draw is told to be where the argument stands.
    let method = Ident::new("draw_named", pat.span());
    Ok(quote!(let #pat: #ty = #case.#method(#name, #generator);))
}

/// A pattern as it is shown: what stands behind `let`.
fn shown_pattern(pattern: &Pat) -> String {
    match pattern {
        Pat::Ident(pattern) => pattern.ident.to_string(),
        Pat::Type(pattern) => shown_pattern(&pattern.pat),
        other => other.to_token_stream().to_string(),
    }
}

fn body(function: &ItemFn, settings: &Settings) -> TokenStream {
    let block = &function.block;
    let output = match &function.sig.output {
        syn::ReturnType::Default => quote!(()),
        syn::ReturnType::Type(_, ty) => quote!(#ty),
    };
    if function.sig.asyncness.is_some() {
        let block_on = &settings.block_on;
        return quote! {
            let __ended: #output = #block_on(async #block);
            __ended
        };
    }
    quote! {
        // A closure of its own, for `return` and `?` to mean what they say.
        ::ablate_check::call_body(|| -> #output #block)
    }
}

/// What the attribute says.
struct Settings {
    base: TokenStream,
    calls: Vec<TokenStream>,
    /// Tuples of arguments that are tried before anything else.
    examples: Vec<Expr>,
    block_on: TokenStream,
    /// Whether it is to run on several threads.
    is_parallel: bool,
}

impl Settings {
    fn of(arguments: &Punctuated<Meta, Token![,]>) -> Result<Settings> {
        let mut settings = Settings {
            base: quote!(::ablate_check::Settings::new()),
            calls: Vec::new(),
            examples: Vec::new(),
            block_on: quote!(::ablate_check::block_on),
            is_parallel: false,
        };
        for argument in arguments {
            let (Some(name), Meta::NameValue(argument)) = (argument.path().get_ident(), argument)
            else {
                return Err(Error::new_spanned(
                    argument,
                    "a setting is a name and a value: `cases = 500`",
                ));
            };
            let value = &argument.value;
            match name.to_string().as_str() {
                "settings" => settings.base = quote!((#value)),
                "example" => settings.examples.push(value.clone()),
                "block_on" => settings.block_on = quote!(#value),
                _ => {
                    settings.is_parallel |= name == "workers";
                    settings.calls.push(quote!(.#name(#value)));
                }
            }
        }
        Ok(settings)
    }
}

/// Gives the values of `let x = tc.draw(…)` their names.
struct Namer;

impl VisitMut for Namer {
    fn visit_local_mut(&mut self, local: &mut Local) {
        if let Some(init) = &mut local.init
            && let Expr::MethodCall(call) = &mut *init.expr
        {
            rename(call, &shown_pattern(&local.pat));
        }
        visit_mut::visit_local_mut(self, local);
    }
}

fn rename(call: &mut ExprMethodCall, name: &str) {
    // Only a plain `something.draw(generator)`: other methods of that name take more.
    let is_plain = matches!(&*call.receiver, Expr::Path(_));
    if call.method == "draw" && call.args.len() == 1 && call.turbofish.is_none() && is_plain {
        call.method = Ident::new("draw_named", call.method.span());
        call.args.insert(0, syn::parse_quote!(#name));
    }
}
