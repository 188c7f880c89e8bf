//! `#[machine]`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, FnArg, Ident, ImplItem, ImplItemFn, Item, ItemImpl, Meta, PatType,
    Result, ReturnType, Type,
};

use crate::generator;

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    if !attribute.is_empty() {
        return Err(Error::new_spanned(
            attribute,
            "`#[machine]` takes nothing: a condition stands before its rule, as in \
             `#[rule(when = self.len > 0)]`",
        ));
    }
    let mut machine = block(item)?;
    let (mut calls, mut conditions) = (Vec::new(), Vec::new());
    for item in &mut machine.items {
        if let ImplItem::Fn(function) = item
            && let Some(part) = part(function)?
        {
            calls.push(part.call);
            conditions.extend(part.condition);
        }
    }
    if calls.is_empty() {
        return Err(Error::new_spanned(
            &machine.self_ty,
            "a machine without rules does nothing: write `#[rule]` before each method that is \
             a step",
        ));
    }
    let (parameters, _, bounds) = machine.generics.split_for_impl();
    let ty = &machine.self_ty;
    let name = name_of(ty)?.to_string();
    let name = snake_case(&name);
    Ok(quote! {
        #machine

        impl #parameters #ty #bounds {
            /// The rules and invariants of this state.
            pub fn machine() -> ::ablate_check::Machine<'static, Self> {
                ::ablate_check::Machine::new(#name)
                    #(#calls)*
            }

            #(#conditions)*
        }
    })
}

/// The block whose methods are rules and invariants.
fn block(item: TokenStream) -> Result<ItemImpl> {
    match syn::parse2(item)? {
        Item::Impl(block) => match &block.trait_ {
            None => Ok(block),
            Some((_, path, _)) => Err(Error::new_spanned(
                path,
                "a machine is no trait's implementation: put the rules into a block of their own, \
                 `#[machine] impl Type { … }`",
            )),
        },
        other => Err(Error::new_spanned(
            other,
            "only a block of methods can be a machine: `#[machine] impl Type { … }`",
        )),
    }
}

fn name_of(ty: &Type) -> Result<&Ident> {
    let last = match ty {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    last.map(|segment| &segment.ident).ok_or_else(|| {
        Error::new_spanned(
            ty,
            "a machine needs a type with a name: declare a struct for the state",
        )
    })
}

/// `TwoWords` as `two_words`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (place, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && place > 0 {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// A rule or an invariant.
struct Part {
    call: TokenStream,
    /// The method that says when the rule applies.
    condition: Option<TokenStream>,
}

/// The call that adds what a function is to the machine; `None` if it is neither a rule nor an
/// invariant.
fn part(function: &mut ImplItemFn) -> Result<Option<Part>> {
    let is_part = |attribute: &Attribute| {
        let names = ["rule", "invariant"];
        names.iter().any(|name| attribute.path().is_ident(name))
    };
    let Some(place) = function.attrs.iter().position(is_part) else {
        return Ok(None);
    };
    let attribute = function.attrs.remove(place);
    if let Some(second) = function.attrs.iter().find(|attribute| is_part(attribute)) {
        return Err(Error::new_spanned(
            second,
            "a method is a rule or an invariant, once: leave one of the attributes out",
        ));
    }
    let name = function.sig.ident.clone();
    let text = name.to_string();
    let is_invariant = attribute.path().is_ident("invariant");
    if let ReturnType::Type(_, ty) = &function.sig.output
        && !matches!(&**ty, Type::Tuple(tuple) if tuple.elems.is_empty())
    {
        return Err(Error::new_spanned(
            ty,
            "nobody looks at what a rule or an invariant returns: return nothing, and `assert!` \
             or `unwrap` in it what has to hold",
        ));
    }
    let mut inputs = function.sig.inputs.iter_mut();
    let receiver = match inputs.next() {
        Some(FnArg::Receiver(receiver)) if receiver.reference.is_some() => receiver,
        first => {
            let message = match is_invariant {
                true => "an invariant looks at the state: let it take `&self`",
                false => "a rule changes the state: let it take `&mut self` first",
            };
            return Err(match first {
                Some(first) => Error::new_spanned(first, message),
                None => Error::new_spanned(&name, message),
            });
        }
    };
    if is_invariant {
        if receiver.mutability.is_some() {
            return Err(Error::new_spanned(
                receiver,
                "an invariant only looks at the state: let it take `&self`, or make it a rule",
            ));
        }
        if let Some(more) = inputs.next() {
            return Err(Error::new_spanned(
                more,
                "an invariant takes only `&self`: what it has to know is kept in the state",
            ));
        }
        if !matches!(attribute.meta, Meta::Path(_)) {
            return Err(Error::new_spanned(
                attribute,
                "`#[invariant]` takes nothing: it holds after every step; \
                 test a condition within the method",
            ));
        }
        return Ok(Some(Part {
            call: quote!(.invariant(#text, |__state: &Self| __state.#name())),
            condition: None,
        }));
    }
    let (mut draws, mut passed, mut lent) = (Vec::new(), Vec::new(), 0);
    for (place, input) in inputs.enumerate() {
        if let Some(step) = step(input)? {
            lent += 1;
            if lent > 1 {
                return Err(Error::new_spanned(
                    input,
                    "a rule takes the step once: `&mut Step` has its test case, too",
                ));
            }
            passed.push(step);
            continue;
        }
        let drawn = argument(input)?;
        let place = Ident::new(&format!("__argument_{place}"), name.span());
        let FnArg::Typed(PatType { ty, .. }) = input else {
            continue;
        };
        draws.push(quote!(let #place: #ty = #drawn;));
        passed.push(quote!(#place));
    }
    let options = options(&attribute)?;
    let body = quote! {
        |__state: &mut Self, __step: &mut ::ablate_check::Step<'_>| {
            #(#draws)*
            __state.#name(#(#passed),*);
        }
    };
    let Some(when) = options.when else {
        return Ok(Some(Part {
            call: quote!(.rule(#text, #body)),
            condition: None,
        }));
    };
    // The condition speaks of `self`, so it becomes a method.
    let method = Ident::new(&format!("__{name}_applies"), name.span());
    Ok(Some(Part {
        call: quote!(.rule_if(#text, |__state: &Self| __state.#method(), #body)),
        condition: Some(quote!(fn #method(&self) -> bool { #when })),
    }))
}

/// How an argument that is the step itself, or its test case, is passed; `None` for one to be drawn.
fn step(input: &FnArg) -> Result<Option<TokenStream>> {
    let FnArg::Typed(parameter) = input else {
        return Ok(None);
    };
    let Type::Reference(reference) = &*parameter.ty else {
        return Ok(None);
    };
    let named = name_of(&reference.elem).map(ToString::to_string);
    match (reference.mutability, named.as_deref()) {
        (Some(_), Ok("Step")) => Ok(Some(quote!(__step))),
        (Some(_), Ok("TestCase")) => Ok(Some(quote!(__step.test_case()))),
        _ => Err(Error::new_spanned(
            reference,
            "references can't be drawn: take a value, or `&mut Step` to draw in the method and to \
             use a `Pool`",
        )),
    }
}

/// What an argument is drawn by.
fn argument(input: &mut FnArg) -> Result<TokenStream> {
    let FnArg::Typed(parameter) = input else {
        return Err(Error::new_spanned(input, "`self` comes first"));
    };
    let generator = generator::take(parameter)?;
    let ty = &parameter.ty;
    Ok(match generator {
        Some(generator) => quote_spanned!(generator.span()=> __step.draw(#generator)),
        None => quote_spanned!(ty.span()=> __step.draw_any::<#ty>()),
    })
}

#[derive(Default)]
struct Options {
    when: Option<Expr>,
}

fn options(attribute: &Attribute) -> Result<Options> {
    let mut options = Options::default();
    if let Meta::Path(_) = attribute.meta {
        return Ok(options);
    }
    attribute.parse_nested_meta(|meta| {
        if meta.path.is_ident("when") {
            options.when = Some(meta.value()?.parse()?);
            return Ok(());
        }
        Err(meta.error("a rule has no such option: write `#[rule(when = self.len > 0)]`"))
    })?;
    Ok(options)
}
