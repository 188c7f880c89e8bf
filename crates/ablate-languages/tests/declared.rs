//! Which names texts declare: what no part of a grammar is said to be the name of is easily missed, and then
//! nothing goes because nobody needs it any more.

use ablate_languages::explain::declared;

/// Makes sure that a text declares these names, each by a node of this kind, and no others.
fn check(language: &str, text: &str, expected: &[(&str, &str)]) {
    let seen = declared(language, text);
    let seen: Vec<(&str, &str)> = (seen.iter())
        .map(|(kind, name)| (*kind, name.as_str()))
        .collect();
    assert_eq!(seen, expected, "{text}");
}

#[test]
fn types_that_functions_return_are_not_declared_by_them_in_swift() {
    check(
        "swift",
        "func f<T: P>(_ x: A, by y: B = 1) throws -> C { return y }",
        &[
            ("function_declaration", "f"),
            ("type_parameter", "T"),
            ("parameter", "x"),
            ("parameter", "y"),
        ],
    );
    check(
        "swift",
        "typealias A = B\nextension C: D { subscript(i: E) -> F { return i } }",
        &[
            ("typealias_declaration", "A"),
            ("class_declaration", "C"),
            ("parameter", "i"),
        ],
    );
}

#[test]
fn types_of_ocaml_are_declared() {
    check(
        "ocaml",
        "type 'a t = A of u | B and u = { c : int }",
        &[
            ("type_binding", "t"),
            ("constructor_declaration", "A"),
            ("constructor_declaration", "B"),
            ("type_binding", "u"),
            ("field_declaration", "c"),
        ],
    );
    check("rust", "type A = B<C = D>;", &[("type_item", "A")]);
}

#[test]
fn properties_in_constructors_and_types_that_vary_are_declared_in_kotlin() {
    check(
        "kotlin",
        "class A<out T>(val b: T, c: Int = 1)",
        &[
            ("class_declaration", "A"),
            ("type_parameter", "T"),
            ("class_parameter", "b"),
            ("class_parameter", "c"),
        ],
    );
}

#[test]
fn annotations_and_parameters_of_types_are_declared_in_java() {
    check(
        "java",
        "@interface A { int b() default 1; } class C<T extends D> {}",
        &[
            ("annotation_type_declaration", "A"),
            ("annotation_type_element_declaration", "b"),
            ("class_declaration", "C"),
            ("type_parameter", "T"),
        ],
    );
}

#[test]
fn parameters_of_templates_are_declared_that_have_a_default_or_are_many() {
    check(
        "cpp",
        "template <class T = A, class... U> struct B {};",
        &[
            ("optional_type_parameter_declaration", "T"),
            ("variadic_type_parameter_declaration", "U"),
            ("struct_specifier", "B"),
        ],
    );
}

#[test]
fn what_structures_have_is_declared_in_zig_and_typescript() {
    check(
        "zig",
        "const A = struct { b: u8, c: D = 1 };",
        &[
            ("variable_declaration", "A"),
            ("container_field", "b"),
            ("container_field", "c"),
        ],
    );
    check(
        "typescript",
        "interface A { b: C; d?(): E }",
        &[
            ("interface_declaration", "A"),
            ("property_signature", "b"),
            ("method_signature", "d"),
        ],
    );
}

#[test]
fn parameters_with_types_are_declared_in_python() {
    check(
        "python",
        "def f(x: A, y: B = 1): pass",
        &[
            ("function_definition", "f"),
            ("typed_parameter", "x"),
            ("typed_default_parameter", "y"),
        ],
    );
}
