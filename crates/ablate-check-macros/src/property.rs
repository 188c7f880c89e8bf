//! `#[property]`.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Error, Expr, ExprMethodCall, FnArg, Ident, Item, ItemFn, Local, Meta, Pat, PatType,
    Result, Token, Type,
};

use crate::generator;

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let mut function = function(item)?;
    let arguments = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(attribute.clone());
    let arguments = arguments.map_err(|error| match first_is_name(&attribute) {
        true => error,
        false => Error::new_spanned(&attribute, NAMED),
    })?;
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
        "check_parallel"
    } else {
        "check"
    };
    // What a property can't end with is complained of where it says so.
    let check = Ident::new(check, function.sig.output.span());
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

/// Said where settings have no names.
const NAMED: &str = "a setting is a name and a value: `cases = 500`";

/// Whether what the attribute says begins with a name, as settings do.
fn first_is_name(attribute: &TokenStream) -> bool {
    let first = attribute.clone().into_iter().next();
    matches!(first, Some(TokenTree::Ident(_)))
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
        Some(generic) => {
            return Err(Error::new_spanned(
                generic,
                "a property can't be generic, since nobody says what to draw: \
                 name the types, as in `fn name(x: u32)`",
            ));
        }
        None if function.sig.inputs.is_empty() => {
            return Err(Error::new_spanned(
                &function.sig.ident,
                "this property draws nothing, so that all its cases would be the same: take what is \
                 to be drawn, as in `fn name(x: u32)`, or `tc: &mut TestCase`; or write `#[test]`",
            ));
        }
        None => {}
    }
    let runs = |attribute: &&Attribute| {
        let segments = &attribute.path().segments;
        segments.len() > 1 && segments.last().is_some_and(|last| last.ident == "test")
    };
    match function.attrs.iter().find(runs) {
        Some(test) => Err(Error::new_spanned(
            test,
            "a property is a test already: leave this out, and say what its futures are run by, as in \
             `#[property(block_on = path::to::function)]`; without, they are run by \
             `ablate_check::block_on`",
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
            if is_case(&reference.elem) && reference.mutability.is_none() {
                return Err(Error::new_spanned(reference, LENT));
            }
            if reference.mutability.is_none() || is_value(&reference.elem) {
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
        if is_case(&parameter.ty) {
            return Err(Error::new_spanned(&parameter.ty, LENT));
        }
        let statement = draw(parameter, &parameters.case)?;
        parameters.draws.push(statement);
        parameters.patterns.push((*parameter.pat).clone());
        parameters.types.push((*parameter.ty).clone());
    }
    Ok(parameters)
}

/// Said where the test case itself is taken.
const LENT: &str = "the test case is lent, to be drawn from: take `tc: &mut TestCase`";

/// Whether a type is that of the test case, by its usual name.
fn is_case(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "TestCase"))
}

/// Whether a type can be seen not to be that of the test case, under whatever name.
fn is_value(ty: &Type) -> bool {
    const PRIMITIVES: [&str; 19] = [
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8",
        "u16", "u32", "u64", "u128", "usize", "String", "PathBuf",
    ];
    let Type::Path(path) = ty else {
        return true;
    };
    path.path.segments.last().is_some_and(|last| {
        !last.arguments.is_empty() || PRIMITIVES.iter().any(|name| last.ident == name)
    })
}

fn draw(parameter: &mut PatType, case: &TokenStream) -> Result<TokenStream> {
    let generator = generator::take(parameter)?;
    let PatType { pat, ty, .. } = &*parameter;
    if let Type::ImplTrait(_) = &**ty {
        return Err(Error::new_spanned(
            ty,
            "`impl Trait` says not what to draw: name a type, or draw in the body what it is made of",
        ));
    }
    let name = shown_pattern(pat);
    // What goes wrong with the draw is told to be where the generator stands, or the type.
    let place = generator.as_ref().map_or(ty.span(), Spanned::span);
    let case = located(case, place);
    let drawn = match generator {
        Some(generator) => quote_spanned!(place=> #case.draw_named(#name, #generator)),
        None => quote_spanned!(place=> #case.draw_any_named::<#ty>(#name)),
    };
    Ok(quote!(let #pat: #ty = #drawn;))
}

/// The same names, told to stand at another place.
fn located(tokens: &TokenStream, place: Span) -> TokenStream {
    let moved = tokens.clone().into_iter().map(|mut token| {
        token.set_span(token.span().located_at(place));
        token
    });
    moved.collect()
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
                return Err(Error::new_spanned(argument, NAMED));
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
