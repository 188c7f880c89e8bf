//! `#[derive(Arbitrary)]`.

use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, Fields, GenericParam, Ident, Lit, Meta, PathSegment,
    Result, Variant, parse_quote,
};

pub(crate) fn expand(item: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let name = &input.ident;
    options(&input.attrs, Of::Type)?;
    let made = match &input.data {
        Data::Struct(data) => {
            let fields = told(&data.fields);
            quote!(("", #fields))
        }
        Data::Enum(data) => {
            let variants = data.variants.iter().map(|variant| {
                let (name, fields) = (variant.ident.to_string(), told(&variant.fields));
                quote!((#name, #fields))
            });
            quote!(#(#variants),*)
        }
        Data::Union(_) => quote!(),
    };
    let body = match &input.data {
        Data::Struct(data) => {
            let value = constructed(&quote!(#name), &data.fields)?;
            quote!(__tc.span(__label, |__tc| #value))
        }
        Data::Enum(data) => alternatives(name, data.variants.iter())?,
        Data::Union(_) => {
            return Err(Error::new_spanned(
                name,
                "a union can't be drawn, since nothing says which field holds: \
                 implement `Arbitrary` by hand",
            ));
        }
    };
    let mut generics = input.generics.clone();
    for parameter in &mut generics.params {
        if let GenericParam::Type(parameter) = parameter {
            parameter
                .bounds
                .push(parse_quote!(::ablate_check::Arbitrary));
        }
    }
    let (parameters, arguments, bounds) = {
        let (parameters, _, bounds) = generics.split_for_impl();
        let (_, arguments, _) = input.generics.split_for_impl();
        (quote!(#parameters), quote!(#arguments), quote!(#bounds))
    };
    let text = name.to_string();
    Ok(quote! {
        #[automatically_derived]
        impl #parameters ::ablate_check::Arbitrary for #name #arguments #bounds {
            fn draw_any(__tc: &mut ::ablate_check::TestCase) -> Self {
                const __LABEL: u64 =
                    ::ablate_check::label(::core::concat!(::core::module_path!(), "::", #text));
                let __label = __LABEL;
                ::ablate_check::learn_type::<Self>(__tc, &[#made]);
                #body
            }
        }
    })
}

/// The fields with their types, for the values to be shown.
fn told(fields: &Fields) -> TokenStream {
    let fields = fields.iter().map(|field| {
        let name = field.ident.as_ref().map(ToString::to_string);
        let (name, ty) = (name.unwrap_or_default(), &field.ty);
        quote!((#name, ::core::any::type_name::<#ty>))
    });
    quote!(&[#(#fields),*])
}

/// `name { a: draw, … }`.
fn constructed(name: &TokenStream, fields: &Fields) -> Result<TokenStream> {
    let mut parts = Vec::new();
    for (place, field) in fields.iter().enumerate() {
        let member = match &field.ident {
            Some(name) => quote!(#name),
            None => {
                let place = syn::Index::from(place);
                quote!(#place)
            }
        };
        let ty = &field.ty;
        let drawn = match options(&field.attrs, Of::Field)?.from {
            // What is wrong is said to be where the generator stands, or the type.
            Some(generator) => quote_spanned!(generator.span()=> __tc.draw_silent(#generator)),
            None => quote_spanned!(ty.span()=> __tc.draw_any_silent::<#ty>()),
        };
        parts.push(quote!(#member: #drawn));
    }
    Ok(quote!(#name { #(#parts),* }))
}

fn alternatives<'a>(
    name: &Ident,
    variants: impl Iterator<Item = &'a Variant>,
) -> Result<TokenStream> {
    let (mut weights, mut values) = (Vec::new(), Vec::new());
    let mut greatest = 0;
    for variant in variants {
        let weight = options(&variant.attrs, Of::Variant)?.weight.unwrap_or(1);
        let is_recursive = mentions(name, &variant.fields);
        weights.push(quote!((#weight, #is_recursive)));
        greatest = greatest.max(weight);
        let variant_name = &variant.ident;
        values.push(constructed(&quote!(#name::#variant_name), &variant.fields)?);
    }
    let Some((first, others)) = values.split_first() else {
        return Err(Error::new_spanned(
            name,
            "an enum without variants has no values to draw: \
             add a variant, or leave `Arbitrary` out",
        ));
    };
    if greatest == 0 {
        return Err(Error::new_spanned(
            name,
            "every variant has the weight 0, so that none can be drawn: leave out one of the weights",
        ));
    }
    let arms = others.iter().enumerate().map(|(at, value)| {
        let place = at + 1;
        quote!(#place => #value,)
    });
    Ok(quote! {
        __tc.span(__label, |__tc| match __tc.variant(&[#(#weights),*]) {
            #(#arms)*
            _ => #first,
        })
    })
}

/// Whether a field's type names the enum itself.
fn mentions(name: &Ident, fields: &Fields) -> bool {
    struct Search<'a> {
        name: &'a Ident,
        found: bool,
    }
    impl Visit<'_> for Search<'_> {
        fn visit_path_segment(&mut self, segment: &PathSegment) {
            self.found |= segment.ident == *self.name || segment.ident == "Self";
            visit::visit_path_segment(self, segment);
        }
    }
    let mut search = Search { name, found: false };
    search.visit_fields(fields);
    search.found
}

/// What attributes stand before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Type,
    Variant,
    Field,
}

impl Of {
    /// The option that there is for it.
    fn option(self) -> Option<&'static str> {
        match self {
            Of::Type => None,
            Of::Variant => Some("weight"),
            Of::Field => Some("from"),
        }
    }

    /// Where the option belongs, or how it is written.
    fn cure(self) -> &'static str {
        match self {
            Of::Type => {
                "a type has no options: `#[arbitrary(from = …)]` stands before a field, \
                 `#[arbitrary(weight = …)]` before a variant"
            }
            Of::Variant => "a variant has no such option: write `#[arbitrary(weight = 3)]`",
            Of::Field => "a field has no such option: write `#[arbitrary(from = 0..10u8)]`",
        }
    }
}

#[derive(Default)]
struct Options {
    weight: Option<u32>,
    from: Option<Expr>,
}

fn options(attributes: &[Attribute], of: Of) -> Result<Options> {
    let mut options = Options::default();
    for attribute in attributes {
        if !attribute.path().is_ident("arbitrary") {
            continue;
        }
        let first = match &attribute.meta {
            Meta::List(list) => list.tokens.clone().into_iter().next(),
            _ => None,
        };
        // An option has a name.
        if !matches!(first, Some(TokenTree::Ident(_))) {
            return Err(Error::new_spanned(attribute, of.cure()));
        }
        attribute.parse_nested_meta(|meta| {
            let option = of.option().filter(|option| meta.path.is_ident(option));
            match option {
                Some("weight") => options.weight = Some(weight(meta.value()?)?),
                Some(_) => options.from = Some(meta.value()?.parse()?),
                None => return Err(meta.error(of.cure())),
            }
            Ok(())
        })?;
    }
    Ok(options)
}

fn weight(value: ParseStream<'_>) -> Result<u32> {
    let literal: Lit = value.parse()?;
    let weight = match &literal {
        Lit::Int(literal) => literal.base10_parse().ok(),
        _ => None,
    };
    let message = "a weight is a small whole number: write `#[arbitrary(weight = 3)]`";
    weight.ok_or_else(|| Error::new_spanned(literal, message))
}
