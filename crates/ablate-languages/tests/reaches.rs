//! What people do by hand to a test case in their language is one step of some pass.

use ablate_languages::explain::reductions;
use ablate_languages::find;
use ablate_languages::registry::PASSES;

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Checks that one step of one pass makes `after` of `before`, blanks apart.
fn is_reached(language: &str, before: &str, after: &str) -> bool {
    let wanted = without_blanks(after);
    PASSES.iter().any(|entry| {
        let seen = reductions(entry.description.name, language, before);
        seen.iter().any(|seen| without_blanks(seen) == wanted)
    })
}

fn check(language: &str, steps: &[(&str, &str)]) {
    if find(language).is_none() {
        return;
    }
    let missing = steps
        .iter()
        .filter(|(before, after)| !is_reached(language, before, after));
    let missing: Vec<_> = missing.collect();
    assert!(missing.is_empty(), "{language}: {missing:#?}");
}

#[test]
fn rust_loses_what_is_not_needed() {
    check(
        "rust",
        &[
            ("fn f() -> u8 { g(1); 2 }", "fn f() -> u8 { loop {} }"),
            ("pub(crate) fn f() {}", "fn f() {}"),
            ("#[inline] fn f() {}", "fn f() {}"),
            (
                "#[derive(Clone, Debug)] struct A;",
                "#[derive(Clone)] struct A;",
            ),
            ("#[derive(Clone)] struct A;", "struct A;"),
            ("async unsafe fn f() {}", "async fn f() {}"),
            ("async fn f() {}", "fn f() {}"),
            ("unsafe fn f() {}", "fn f() {}"),
            ("const fn f() {}", "fn f() {}"),
            ("unsafe impl A for B {}", "impl A for B {}"),
            ("fn f() { unsafe { g() } }", "fn f() { g() }"),
            ("fn f() { async { g() } }", "fn f() { { g() } }"),
            ("fn f() { g().await }", "fn f() { g() }"),
            ("fn f() { g()? }", "fn f() { g() }"),
            ("fn f<T: Clone + Copy>() {}", "fn f<T: Clone>() {}"),
            ("fn f<T: Clone>() {}", "fn f<T>() {}"),
            ("fn f<T>() {}", "fn f() {}"),
            ("fn f<'a, T>(x: &'a T) {}", "fn f<T>(x: &T) {}"),
            ("fn f() where T: A, U: B {}", "fn f() where T: A {}"),
            ("fn f() where T: A {}", "fn f() {}"),
            ("struct A<const N: usize>;", "struct A;"),
            ("fn f(x: &'a T) {}", "fn f(x: &T) {}"),
            ("fn f(x: &mut T) {}", "fn f(x: &T) {}"),
            ("fn f(x: &T) {}", "fn f(x: T) {}"),
            ("fn f(x: Box<T>) {}", "fn f(x: T) {}"),
            ("fn f(x: Vec<Option<u8>>) {}", "fn f(x: Vec<u8>) {}"),
            ("fn f() -> a::b::C { x }", "fn f() -> C { x }"),
            ("fn f() { a::b::c() }", "fn f() { c() }"),
            ("fn f() { a::<u8>() }", "fn f() { a() }"),
            ("use a::b as c;", "use a::b;"),
            ("mod a { fn f() {} }", "fn f() {}"),
            ("impl A { fn f() {} }", "fn f() {}"),
            ("impl T for A { fn f() {} }", "impl A { fn f() {} }"),
            ("trait A: B {}", "trait A {}"),
            ("trait A { fn f() { g() } }", "trait A { fn f() {} }"),
            ("trait A { type B: C; }", "trait A { type B; }"),
            ("trait A { type B = C; }", "trait A { type B; }"),
            (
                "fn f() { match x { A => 1, B => 2 } }",
                "fn f() { match x { A => 1, } }",
            ),
            (
                "fn f() { match x { A if y => 1 } }",
                "fn f() { match x { A => 1 } }",
            ),
            (
                "fn f() { match x { A | B => 1 } }",
                "fn f() { match x { A => 1 } }",
            ),
            (
                "fn f() { match x { A(b) => 1 } }",
                "fn f() { match x { _ => 1 } }",
            ),
            ("fn f() { match x { A => y } }", "fn f() { y }"),
            ("fn f() { match x { A => y } }", "fn f() { x }"),
            ("fn f() { if a { b } else { c } }", "fn f() { if a { b } }"),
            ("fn f() { if a { b } else { c } }", "fn f() { b }"),
            ("fn f() { if a { b } else { c } }", "fn f() { c }"),
            ("fn f() { if let A = b { c } }", "fn f() { c }"),
            ("fn f() { for a in b { c } }", "fn f() { c }"),
            ("fn f() { for a in b { c } }", "fn f() { b }"),
            ("fn f() { loop { c; } }", "fn f() { c; }"),
            ("fn f() { let a: u8 = b; }", "fn f() { let a = b; }"),
            ("fn f() { let a = b; }", "fn f() { let a; }"),
            ("fn f() { let a = b; }", "fn f() { b; }"),
            ("fn f() { let mut a = b; }", "fn f() { let a = b; }"),
            ("fn f() { let (a, b) = c; }", "fn f() { let a = c; }"),
            ("fn f() { x.map(|a| b) }", "fn f() { x }"),
            ("fn f() { x.map(|a| b) }", "fn f() { b }"),
            ("fn f() { a.b().c() }", "fn f() { a.b() }"),
            ("fn f() { a.b().c() }", "fn f() { a.c() }"),
            (
                "fn f() { move |x: u8| -> u8 { x } }",
                "fn f() { |x: u8| -> u8 { x } }",
            ),
            ("fn f() { |x: u8| y }", "fn f() { |x| y }"),
            ("fn f() { a as u8 }", "fn f() { a }"),
            ("fn f() { &a }", "fn f() { a }"),
            ("fn f() { *a }", "fn f() { a }"),
            ("fn f() { a + b * c }", "fn f() { b * c }"),
            ("fn f() { A { x: b, ..c } }", "fn f() { A { x: b } }"),
            ("fn f() { A { x: b } }", "fn f() { b }"),
            ("fn f() { vec![a] }", "fn f() { vec![] }"),
            ("fn f() { return a; }", "fn f() { return; }"),
            ("fn f() { return a; }", "fn f() { a; }"),
            ("fn f() { \"abc\" }", "fn f() { \"\" }"),
            ("fn f() { 12345usize }", "fn f() { 0 }"),
            ("enum A { B(u8), C { d: u8 } }", "enum A { B, C { d: u8 } }"),
            ("enum A { B = 3 }", "enum A { B }"),
            ("struct A { b: u8, c: u8 }", "struct A { b: u8 }"),
            ("struct A(u8, u8);", "struct A(u8);"),
            ("extern \"C\" fn f() {}", "fn f() {}"),
            ("type A<T> = B<T>;", "type A = B;"),
            ("static mut A: u8 = 1;", "static A: u8 = 1;"),
            ("fn f(x: impl A + B) {}", "fn f(x: impl A) {}"),
            ("fn f(x: dyn A + 'a) {}", "fn f(x: dyn A) {}"),
            ("fn f(x: for<'a> fn(&'a u8)) {}", "fn f(x: fn(&'a u8)) {}"),
            ("fn f(x: [u8; 3]) {}", "fn f(x: u8) {}"),
            ("fn f(x: (u8, T)) {}", "fn f(x: T) {}"),
            (
                "fn f() { loop { break 'a; } }",
                "fn f() { loop { break; } }",
            ),
            ("fn f(self: Box<Self>) {}", "fn f(self) {}"),
            ("impl<T> A<T> {}", "impl A {}"),
        ],
    );
}

#[test]
fn python_loses_what_is_not_needed() {
    check(
        "python",
        &[
            (
                "def f(a: int, b=1) -> int:\n    x()\n    return 1\n",
                "def f(a: int, b=1) -> int:\n    pass\n",
            ),
            ("def f(a: int):\n    pass\n", "def f(a):\n    pass\n"),
            ("def f(a=1):\n    pass\n", "def f(a):\n    pass\n"),
            (
                "def f(a: int = 1):\n    pass\n",
                "def f(a: int):\n    pass\n",
            ),
            ("def f() -> int:\n    pass\n", "def f():\n    pass\n"),
            ("def f(*a, **b):\n    pass\n", "def f(*a):\n    pass\n"),
            ("@a\n@b\ndef f():\n    pass\n", "@a\ndef f():\n    pass\n"),
            ("@a\ndef f():\n    pass\n", "def f():\n    pass\n"),
            ("class A(B, C):\n    pass\n", "class A(B):\n    pass\n"),
            ("class A(B):\n    pass\n", "class A:\n    pass\n"),
            (
                "class A:\n    def f(self):\n        pass\n",
                "def f(self):\n    pass\n",
            ),
            ("async def f():\n    pass\n", "def f():\n    pass\n"),
            (
                "async def f():\n    await g()\n",
                "async def f():\n    g()\n",
            ),
            ("if a:\n    b()\nelse:\n    c()\n", "if a:\n    b()\n"),
            ("if a:\n    b()\n    c()\n", "b()\nc()\n"),
            ("if a:\n    b()\nelse:\n    c()\n", "c()\n"),
            ("for a in b:\n    c()\n", "c()\n"),
            ("for a in b:\n    c()\n", "b\n"),
            ("while a:\n    c()\n", "c()\n"),
            ("with a as b:\n    c()\n", "c()\n"),
            ("with a as b:\n    c()\n", "with a:\n    c()\n"),
            ("with a, b:\n    c()\n", "with a:\n    c()\n"),
            ("try:\n    a()\nexcept B:\n    c()\n", "a()\n"),
            (
                "try:\n    a()\nexcept B as e:\n    c()\nfinally:\n    d()\n",
                "try:\n    a()\nexcept B as e:\n    c()\n",
            ),
            (
                "try:\n    a()\nexcept B as e:\n    c()\n",
                "try:\n    a()\nexcept B:\n    c()\n",
            ),
            (
                "try:\n    a()\nexcept B:\n    c()\n",
                "try:\n    a()\nexcept:\n    c()\n",
            ),
            ("x = [a for b in c if d]\n", "x = [a for b in c]\n"),
            ("x = [a for b in c]\n", "x = a\n"),
            ("x = [a for b in c]\n", "x = c\n"),
            ("x = {a: b for c in d}\n", "x = d\n"),
            ("x = f'{a} b'\n", "x = a\n"),
            ("x = f'{a} b'\n", "x = f'{a}'\n"),
            ("x = f'{a!r:>{b}}'\n", "x = f'{a!r}'\n"),
            ("x = 'abc'\n", "x = ''\n"),
            ("x = 12345\n", "x = 0\n"),
            ("x = lambda a, b: c\n", "x = lambda a: c\n"),
            ("x = lambda a: c\n", "x = lambda: c\n"),
            ("x = lambda a: c\n", "x = c\n"),
            ("x = a if b else c\n", "x = a\n"),
            ("x = a and b\n", "x = b\n"),
            ("x = not a\n", "x = a\n"),
            ("x = a < b < c\n", "x = a < b\n"),
            ("x = f(a, b=c)\n", "x = f(a)\n"),
            ("x = f(a)\n", "x = a\n"),
            ("x = a.b.c\n", "x = a.b\n"),
            ("x = a.b.c\n", "x = a\n"),
            ("x = a[b]\n", "x = a\n"),
            ("x = a[b:c:d]\n", "x = a[b:c]\n"),
            ("x: int = 1\n", "x = 1\n"),
            ("x: int = 1\n", "x: int\n"),
            ("x = y = 1\n", "x = 1\n"),
            ("return a, b\n", "return a\n"),
            ("return a\n", "return\n"),
            ("yield a\n", "yield\n"),
            ("raise A from b\n", "raise A\n"),
            ("raise A\n", "raise\n"),
            ("assert a, b\n", "assert a\n"),
            ("import a, b\n", "import a\n"),
            ("import a.b as c\n", "import a.b\n"),
            ("from a import b, c\n", "from a import b\n"),
            ("from a import b as c\n", "from a import b\n"),
            (
                "match a:\n    case 1:\n        b()\n    case 2:\n        c()\n",
                "match a:\n    case 1:\n        b()\n",
            ),
            (
                "match a:\n    case b if c:\n        d()\n",
                "match a:\n    case b:\n        d()\n",
            ),
            ("print(*a, **b)\n", "print(*a)\n"),
            ("print(*a)\n", "print(a)\n"),
            ("x = (yield a)\n", "x = a\n"),
            ("x = (a := b)\n", "x = b\n"),
            ("x = {a: b, c: d}\n", "x = {a: b}\n"),
            ("global a, b\n", "global a\n"),
            (
                "def f(a, /, b, *, c):\n    pass\n",
                "def f(a, b, *, c):\n    pass\n",
            ),
        ],
    );
}

#[test]
fn typescript_loses_what_is_not_needed() {
    check(
        "typescript",
        &[
            ("let a: number = 1;", "let a = 1;"),
            (
                "function f(a: string, b?: number): void {}",
                "function f(a: string, b?: number) {}",
            ),
            ("function f(a: string) {}", "function f(a) {}"),
            ("function f(a?: string) {}", "function f(a: string) {}"),
            ("function f<T extends A>(a: T) {}", "function f<T>(a: T) {}"),
            ("function f<T>(a) {}", "function f(a) {}"),
            ("let a = b as C;", "let a = b;"),
            ("let a = <C>b;", "let a = b;"),
            ("let a = b!;", "let a = b;"),
            ("let a = f<A>(b);", "let a = f(b);"),
            ("type A = B | C;", "type A = B;"),
            ("type A = B & C;", "type A = C;"),
            ("type A = B[];", "type A = B;"),
            ("type A = { b: C; d: E };", "type A = { b: C; };"),
            ("type A = B extends C ? D : E;", "type A = D;"),
            ("type A<T> = T;", "type A = T;"),
            ("interface A extends B { c: D }", "interface A { c: D }"),
            ("interface A { readonly c?: D }", "interface A { c?: D }"),
            (
                "abstract class A { private b: C; }",
                "class A { private b: C; }",
            ),
            ("class A { private b: C; }", "class A { b: C; }"),
            ("class A implements B {}", "class A {}"),
            ("class A { b(): void { c(); } }", "class A { b() { c(); } }"),
            ("declare module 'a' { let b; }", "let b;"),
            ("namespace A { let b; }", "let b;"),
            ("enum A { B = 1, C }", "enum A { B, C }"),
            ("export const enum A { B }", "export enum A { B }"),
            (
                "import type { A, B } from 'c';",
                "import type { A } from 'c';",
            ),
        ],
    );
}

#[test]
fn javascript_loses_what_is_not_needed() {
    check(
        "javascript",
        &[
            (
                "export default class A extends B { c() { d(); } }",
                "class A extends B { c() { d(); } }",
            ),
            ("class A extends B {}", "class A {}"),
            (
                "class A { static async *b() {} }",
                "class A { async *b() {} }",
            ),
            ("class A { b() { c(); } }", "class A { b() {} }"),
            ("export const a = 1;", "const a = 1;"),
            ("export { a, b };", "export { a };"),
            ("import a, { b } from 'c';", "import a from 'c';"),
            ("import { a as b } from 'c';", "import { a } from 'c';"),
            ("import a from 'b';", "import 'b';"),
            ("const a = `x${b}y${c}`;", "const a = `x${b}y`;"),
            ("const a = `x${b}y`;", "const a = b;"),
            ("const a = `xy`;", "const a = ``;"),
            (
                "async function f() { await g(); }",
                "async function f() { g(); }",
            ),
            ("async function f() {}", "function f() {}"),
            ("function* f() { yield a; }", "function* f() { a; }"),
            (
                "const f = (a, b = 1) => { return c; };",
                "const f = (a, b) => { return c; };",
            ),
            ("const f = (a) => { return c; };", "const f = (a) => {};"),
            ("const f = (a) => c;", "const f = c;"),
            ("const { a, b } = c;", "const { a } = c;"),
            ("const { a = 1 } = c;", "const { a } = c;"),
            ("const { a: b } = c;", "const b = c;"),
            ("const [a, ...b] = c;", "const [a] = c;"),
            ("if (a) { b(); } else { c(); }", "if (a) { b(); }"),
            ("if (a) { b(); } else { c(); }", "b();"),
            ("for (let a of b) { c(); }", "c();"),
            (
                "for (let a = 0; a < b; a++) c();",
                "for (; a < b; a++) c();",
            ),
            ("while (a) { b(); }", "b();"),
            ("do { b(); } while (a);", "b();"),
            (
                "switch (a) { case 1: b(); default: c(); }",
                "switch (a) { case 1: b(); }",
            ),
            ("switch (a) { case 1: b(); }", "b();"),
            (
                "try { a(); } catch (e) { b(); } finally { c(); }",
                "try { a(); } catch (e) { b(); }",
            ),
            ("try { a(); } catch (e) { b(); }", "a();"),
            (
                "try { a(); } catch (e) { b(); }",
                "try { a(); } catch { b(); }",
            ),
            ("a.b.c(d)", "a.b"),
            ("a.b(c).d(e)", "a.d(e)"),
            ("a.b(c).d(e)", "a.b(c)"),
            ("a?.b", "a"),
            ("a ? b : c", "b"),
            ("a ?? b", "b"),
            ("(a, b)", "b"),
            ("!a", "a"),
            ("typeof a", "a"),
            ("a = b", "b"),
            ("new A(b)", "new A"),
            ("new A(b)", "b"),
            ("x = { a: b, [c]: d, e() {} }", "x = { a: b, [c]: d }"),
            ("x = { a: b }", "x = b"),
            ("x = [a, b]", "x = [a]"),
            ("x = [...a]", "x = a"),
            ("f(...a)", "f(a)"),
            ("x = /abc/gi", "x = /abc/"),
            ("x = function () { return a; }", "x = a"),
            ("(function () { a(); })()", "a()"),
            ("x = class { a() {} }", "x = class {}"),
            ("var a = 1, b = 2;", "var a = 1;"),
            ("var a = 1;", "var a;"),
            ("for (;;) { break a; }", "for (;;) { break; }"),
            ("throw new A(b);", "throw 0;"),
            ("debugger; a();", "a();"),
        ],
    );
}

#[test]
fn other_languages_lose_what_is_not_needed() {
    check(
        "go",
        &[
            (
                "package a\nimport \"x/b\"\nfunc f() {\nb.c()\nd()\n}\n",
                "package a\nfunc f() {\nd()\n}\n",
            ),
            (
                "package a\nfunc f() int { return g() }\n",
                "package a\nfunc f() int { panic(0) }\n",
            ),
        ],
    );
    check(
        "solidity",
        &[("contract A { int256 a; }", "contract A { int a; }")],
    );
}

#[test]
fn strings_lose_what_is_put_into_them() {
    check(
        "python",
        &[
            ("x = f'a{y}b'", "x = f'ab'"),
            ("x = f'a{y}b'", "x = y"),
            ("x = f'a{y:>3}b'", "x = f'a{y}b'"),
            ("x = [f(i) for i in y if i]", "x = [f(i) for i in y]"),
            ("x = [f(i) for i in y]", "x = f(i)"),
            ("x = [f(i) for i in y]", "x = y"),
            ("x = {k: v for k in y}", "x = v"),
        ],
    );
    check(
        "javascript",
        &[("x = `a${y}b`", "x = `ab`"), ("x = `a${y}b`", "x = y")],
    );
    check(
        "bash",
        &[("x=\"a${y}b\"", "x=\"ab\""), ("x=\"a$(y)b\"", "x=\"ab\"")],
    );
    check(
        "ruby",
        &[
            ("x = \"a#{y}b\"", "x = \"ab\""),
            ("x = \"a#{y}b\"", "x = y"),
        ],
    );
    check(
        "kotlin",
        &[
            ("val x = \"a${y}b\"", "val x = \"ab\""),
            ("val x = \"a${y}b\"", "val x = y"),
        ],
    );
    check("swift", &[("let x = \"a\\(y)b\"", "let x = y")]);
    check(
        "c-sharp",
        &[
            (
                "class A { string x = $\"a{y}b\"; }",
                "class A { string x = $\"ab\"; }",
            ),
            (
                "class A { string x = $\"a{y}b\"; }",
                "class A { string x = y; }",
            ),
        ],
    );
    check(
        "scala",
        &[
            ("val x = s\"a${y}b\"", "val x = s\"ab\""),
            ("val x = s\"a${y}b\"", "val x = y"),
        ],
    );
    check(
        "php",
        &[
            ("<?php $x = \"a{$y}b\";", "<?php $x = \"ab\";"),
            ("<?php $x = \"a{$y}b\";", "<?php $x = $y;"),
        ],
    );
}

#[test]
fn java_stays_what_compiles() {
    check(
        "java",
        &[
            (
                "class A { int f() { g(); return 1; } }",
                "class A { int f() { throw null; } }",
            ),
            ("class A { int a = f(); }", "class A { int a; }"),
            ("class A { { b.f(); } }", "class A { { f(); } }"),
            (
                "class A { { if (a) b(); else c(); } }",
                "class A { { if (a) b(); } }",
            ),
            // A class that is made where it is used keeps what it is made for.
            (
                "package a; class A { void f() { b(new R() { public void run() { c(); } }); r.run(); } void c() {} void d() {} }",
                "package a; class A { void f() { b(new R() { public void run() { c(); } }); r.run(); } void c() {} }",
            ),
        ],
    );
}

#[test]
fn signs_go_with_what_they_are_for() {
    check(
        "rust",
        &[("fn f() { let a: u8 = 1; }", "fn f() { let a = 1; }")],
    );
    check(
        "rust",
        &[("fn f() { let a: u8 = 1; }", "fn f() { let a: u8; }")],
    );
    check(
        "typescript",
        &[(
            "function f(): A { return b }",
            "function f(): A { throw 0 }",
        )],
    );
    check("javascript", &[("let a = 1, b = 2", "let a, b = 2")]);
}

#[test]
fn types_go_with_the_brackets_around_them() {
    check(
        "java",
        &[
            ("class A { B<C> d; }", "class A { B d; }"),
            ("class A { B<C, D> e; }", "class A { B e; }"),
            ("class A { B<C, D> e; }", "class A { B<D> e; }"),
            ("class A<T> { }", "class A { }"),
        ],
    );
    check("c-sharp", &[("class A { B<C> d; }", "class A { B d; }")]);
    check(
        "c-sharp",
        &[("class A { int b = 1; }", "class A { int b; }")],
    );
    check("kotlin", &[("val a: B<C> = d", "val a: B = d")]);
    check("typescript", &[("type A = B<C>;", "type A = B;")]);
}

#[test]
fn directives_keep_their_lines() {
    let text = "class A{\n#if B\nint c;\n#endif\nint d;}";
    let seen = reductions("delete_nodes", "c-sharp", text);
    assert!(
        seen.contains(&"class A{\n#if B\nint c;\n#endif\n}".to_owned()),
        "{seen:?}"
    );
}

#[test]
fn wgsl_loses_what_is_not_needed() {
    check(
        "wgsl",
        &[
            (
                "fn f(a: i32, b: i32) {} fn g() { f(1, 2); }",
                "fn f(b: i32) {} fn g() { f(2); }",
            ),
            ("fn f() { let a = g(1); }", "fn f() { g(1); }"),
            ("fn f() { a.b = g(1); }", "fn f() { g(1); }"),
            ("fn f() { g(1); h(2); }", "fn f() { h(2); }"),
            ("const a = b * 2; const c = 1;", "const c = 1;"),
        ],
    );
}
