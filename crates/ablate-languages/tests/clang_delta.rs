//! What the table in `docs/languages.md` says that passes do of clang_delta's list, on a small text each.

use ablate_languages::explain::reductions;

/// A transformation of clang_delta, the pass that stands for it, what it has before it, and what it
/// can make of that.
const DONE: &[(&str, &str, &str, &str)] = &[
    (
        "remove-unused-function",
        "delete_nodes",
        "int f() {} int main() {}",
        "int main() {}",
    ),
    (
        "remove-unused-field",
        "delete_nodes",
        "struct A { int a; int b; };",
        "struct A { int a; };",
    ),
    (
        "remove-unused-var",
        "delete_nodes",
        "int f() { int a; g(); }",
        "int f() { g(); }",
    ),
    (
        "remove-unused-outer-class",
        "hoist_nodes",
        "struct A { struct B { int c; }; };",
        "struct B { int c; };",
    ),
    (
        "remove-unused-enum-member",
        "delete_nodes",
        "enum A { B, C };",
        "enum A { C };",
    ),
    (
        "remove-enum-member-value",
        "delete_nodes",
        "enum A { B = 4 };",
        "enum A { B };",
    ),
    (
        "replace-function-def-with-decl",
        "simplify_nodes",
        "int f() { g(); }",
        "int f() ;",
    ),
    (
        "remove-base-class",
        "delete_nodes",
        "struct A : B { int a; };",
        "struct A { int a; };",
    ),
    (
        "replace-dependent-typedef",
        "inline_members",
        "template<class T> struct A { typedef B<T> C; }; typename A<int>::C d;",
        "template<class T> struct A { typedef B<T> C; }; B<int> d;",
    ),
    (
        "merge-base-class",
        "merge_bases",
        "struct A { int a; }; struct B : A { int b; };",
        "struct B { int a; int b; };",
    ),
    (
        "aggregate-to-scalar",
        "unwrap_structs",
        "struct A { int a; int b; }; struct A c; int f() { return c.a; }",
        "struct A { int a; int b; }; int c; int f() { return c; }",
    ),
    (
        "simplify-struct",
        "unwrap_structs",
        "struct A { int a; }; A b; int f() { return b.a; }",
        "int b; int f() { return b; }",
    ),
    (
        "combine-global-var",
        "merge_declarations",
        "int a; int b;",
        "int a,b;",
    ),
    (
        "simplify-struct-union-decl",
        "merge_declarations",
        "struct A { int a; }; struct A b;",
        "struct { int a; } b;",
    ),
    (
        "remove-ctor-initializer",
        "delete_nodes",
        "struct A { A() : b(1), c(2) {} };",
        "struct A { A() : c(2) {} };",
    ),
    (
        "remove-try-catch",
        "hoist_nodes",
        "void f() { try { g(); } catch (int a) {} }",
        "void f() { g(); }",
    ),
    (
        "remove-addr-taken",
        "hoist_nodes",
        "int *a = &b;",
        "int *a = b;",
    ),
    (
        "remove-namespace",
        "unwrap_namespaces",
        "namespace a { int b; } int c = a::b;",
        "int b; int c = b;",
    ),
    (
        "reduce-class-template-param",
        "delete_parameters",
        "template<class T, class U> struct A {}; A<int, char> a;",
        "template<class U> struct A {}; A<char> a;",
    ),
    (
        "class-template-to-class",
        "delete_parameters",
        "template<class T> struct A { int a; }; A<int> b;",
        "struct A { int a; }; A b;",
    ),
    (
        "instantiate-template-type-param-to-int",
        "substitute_parameters",
        "template<class T> T f(T a) { return a; } int b = f(1);",
        "int f(int a) { return a; } int b = f(1);",
    ),
    (
        "instantiate-template-param",
        "substitute_parameters",
        "template<class T, class U> struct A { T a; }; A<int, char> a;",
        "template<class U> struct A { int a; }; A<char> a;",
    ),
    (
        "param-to-local",
        "substitute_parameters",
        "int f(int a) { return a; } int b = f(1);",
        "int f() { return 1; } int b = f();",
    ),
    (
        "template-arg-to-int",
        "simplify_nodes",
        "A<some> a;",
        "A<int> a;",
    ),
    (
        "template-non-type-arg-to-int",
        "simplify_nodes",
        "A<1 + 2> a;",
        "A<0> a;",
    ),
    (
        "empty-struct-to-int",
        "replace_with_needs",
        "struct Empty { void f(); void g(); }; Empty h();",
        "int h();",
    ),
    (
        "replace-simple-typedef",
        "inline_definitions",
        "typedef int number; number a;",
        "int a;",
    ),
    (
        "copy-propagation",
        "inline_definitions",
        "int f() { int first = a; return first; }",
        "int f() { return a; }",
    ),
    (
        "replace-dependent-typedef",
        "simplify_nodes",
        "template<class T> struct A { typename T::type a; };",
        "template<class T> struct A { int a; };",
    ),
    (
        "replace-derived-class",
        "substitute_nodes",
        "struct B {}; struct Derived : B {}; B a; Derived b;",
        "struct B {}; struct Derived : B {}; B a; B b;",
    ),
    (
        "simplify-recursive-template-instantiation",
        "hoist_nodes",
        "A<A<A<int> > > a;",
        "A<int> a;",
    ),
    (
        "simplify-nested-class",
        "hoist_nodes",
        "struct A { struct B { int c; }; };",
        "struct B { int c; };",
    ),
    (
        "simple-inliner",
        "inline_calls",
        "void f(int a) { g(a); } int h() { f(1); }",
        "int h() { { g(1); } }",
    ),
    (
        "replace-callexpr",
        "inline_calls",
        "int f(int a) { return a + 1; } int b = f(2);",
        "int b = (2 + 1);",
    ),
    (
        "callexpr-to-value",
        "simplify_nodes",
        "int a = f(1);",
        "int a = 0;",
    ),
    (
        "simplify-callexpr",
        "hoist_nodes",
        "int a = f(b);",
        "int a = b;",
    ),
    (
        "simplify-comma-expr",
        "hoist_nodes",
        "void f() { (a, b); }",
        "void f() { b; }",
    ),
    (
        "simplify-if",
        "hoist_nodes",
        "void f() { if (a) b(); else c(); }",
        "void f() { b(); }",
    ),
    (
        "simplify-if",
        "hoist_expressions",
        "void f() { if (a()) b(); else c(); }",
        "void f() { a(); }",
    ),
    (
        "lift-assignment-expr",
        "hoist_expressions",
        "void f() { if (a = b) c(); }",
        "void f() { a = b; }",
    ),
    (
        "remove-nested-function",
        "hoist_nodes",
        "int a = f(g(1));",
        "int a = g(1);",
    ),
    (
        "binop-simplification",
        "hoist_nodes",
        "int a = b + (c + d);",
        "int a = (c + d);",
    ),
    (
        "remove-pointer",
        "lower_declarators",
        "int *a; int b = *a;",
        "int a; int b = a;",
    ),
    (
        "remove-array",
        "lower_declarators",
        "int a[3]; int b = a[1];",
        "int a; int b = a;",
    ),
    (
        "reduce-array-dim",
        "lower_declarators",
        "int a[3][4]; int b = a[1][2];",
        "int a[4]; int b = a[2];",
    ),
    (
        "replace-array-access-with-index",
        "hoist_nodes",
        "int a = b[c];",
        "int a = c;",
    ),
    (
        "return-void",
        "delete_nodes",
        "int f() { return 1; }",
        "int f() { return; }",
    ),
    (
        "replace-undefined-function",
        "substitute_nodes",
        "int a = f(1); int b = gg(1);",
        "int a = f(1); int b = f(1);",
    ),
    // The preprocessor.
    (
        "#if",
        "hoist_nodes",
        "#if A\nint a;\nint b;\n#else\nint c;\n#endif\n",
        "int a;\nint b;\n",
    ),
    (
        "#if",
        "hoist_nodes",
        "#if A\nint a;\n#else\nint c;\n#endif\n",
        "int c;\n",
    ),
    (
        "#include",
        "delete_nodes",
        "#include \"a\"\nint a;\n",
        "int a;\n",
    ),
    (
        "#define",
        "inline_definitions",
        "#define NUMBER 4\nint a = NUMBER;\n",
        "int a = 4;\n",
    ),
    (
        "#define",
        "inline_calls",
        "#define A(b, c) ((b) * c)\nint d = A(1, 2);\n",
        "int d = ((1) * 2);\n",
    ),
    (
        "line markers",
        "delete_layout",
        "# 1 \"a\"\nint a;\n# 2 \"b\" 1\nint b;\n",
        "int a;int b;\n",
    ),
];

#[test]
fn passes_do_what_the_table_says() {
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_missing = |&&(_, pass, before, after): &&(&str, &str, &str, &str)| {
        let seen = reductions(pass, "cpp", before);
        !seen.iter().any(|seen| squeezed(seen) == squeezed(after))
    };
    let missing: Vec<_> = DONE.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}
