//! What every registered pass has to keep: it proposes only what is simpler, it ends, it proposes
//! nothing after its end, its edits lie within the text, and growing never does less.

use ablate_engine::chooser::{ChoiceTree, Walk};
use ablate_engine::order::{Text, compare};
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;
use ablate_passes::passes::DeleteUnreadFiles;
use ablate_passes::registry::{Entry, PASSES};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Small texts with something in them for every pass, and some that are no text.
const TEXTS: &[&[u8]] = &[
    b"$a-b: 1;\n$c: 2;\n$d: $a-b;\np { x: $c; }\nq { x: $d; }\nr { x: 3; }\n",
    b"sub a\n x\nend sub a\nsub b\n call a\n y\nend sub b\nsub c\n if z\n  call b\n endif\nend sub c\n",
    b"procedure A is\nbegin\n loop\n  null;\n end loop;\nend A;\nprocedure B is\nbegin\n loop\n  A;\n end loop;\n null;\nend B;\n",
    b"#define F\nF x;\n#define A 1\n#ifndef B\n#if A > 0 && !C(1)\na\n#elif D\nd\n#else\n#endif\n#endif\n{$IFDEF E}e{$ELSE}{$ENDIF}",
    b"",
    b"x",
    b"\n",
    b"\xff",
    b"\xff\xfe\x00\x80\x80\xc3(\xe2\x82",
    b"((]{)}[",
    b")))](((",
    b"'\"`'\"`\\'\"\"\"",
    b"((((((((()))))))))",
    b"aaaaaaaaaaaaaaaa    \n\n\n\n0000000",
    b"\n\n\n  \n\t\n",
    b"{a{b{c}d}e}",
    "naïve €uro «x» 中文\n".as_bytes(),
    b"// one\n/* two */ x = 0x1F + 12 + 30; # three\n\"\"\"four\"\"\" <!-- five -->\n-- six",
    b"def f(x, y):\n    if x:\n        return [1.5e3, 'a' \"b\" \"c\"]\n\n    return None\nf(1, True)\n",
    b"int main(void)\n{\n  int a, b = 17;\n  for (;;) { g(h(a), b - 1); }\n  return a;\n}\n",
    b"{\n  \"a\": [1, 2, -3],\n  \"bb\": {\"c\": null, \"d\": false},\n}\n",
    b"b\na\nb\na\nc",
    b"v 1.5\nv 2.5\nv 3.5\nv 4.5\nf 2\nf 4\n",
    b"<a b=\"M1 2l3 4c10 1,3 3s10 0c11 1,4 3s11 1c12 1,5 3s12 2c13 1,6 3s13 3c14 1,0 3s14 4c15 1,1 3s15 0c16 1,2 3s16 1c17 1,3 3s17 2c18 1,4 3s18 3c19 1,5 3s19 4c20 1,6 3s20 0c21 1,0 3s21 1c22 1,1 3s22 2c23 1,2 3s23 3c24 1,3 3s24 4c25 1,4 3s25 0c26 1,5 3s26 1c27 1,6 3s27 2c28 1,0 3s28 3c29 1,1 3s29 4c30 1,2 3s30 0c31 1,3 3s31 1c32 1,4 3s32 2c33 1,5 3s33 3\"/>",
    b"<li>one</li><li>two</li><li>three</li>\r\n",
    b"c small\np cnf 9 6\n1 2 -9 0\n-1 3 0\n-3 0\n-2 -7 0 7 5\n-5 0\n4 -4 0\n",
    b"1 -2 0\n2 3 0\n-3 0\n0\n3 1 0",
    b"(set-logic QF_BV)\n(declare-fun x!1 () Int)\n(declare-fun b () (_ BitVec 8))\n(define-fun f ((a Int)) Int (+ a 1))\n(push 1)\n(assert (not (and (not p) (<= x!1 (f 2)) (= b #x0f (bvadd b (_ bv3 8))))))\n(pop 1)(check-sat-assuming (p))\n",
    b"(declare-datatypes ((T 0) (U 0)) (((t (s Int)) (n)) ((u))))(declare-const x Float32)(declare-fun f (T Int) (_ BitVec 8))(assert (and (fp.leq x (_ NaN 8 24) (fp #b0 #xff #b11111111111111111111111)) (= (f (t 1) 2) (concat #b1 ((_ extract 6 0) (concat #x0f #b1)) (_ bv0 0)) (f (t (s n)) (select (store a 1 (+ 1 2 3)) 1)))))(check-sat)",
    b"(declare-const s String)(declare-const t String)(assert(let((y (str.++ s \"a\")))(distinct y t)))(assert(= t \"b\"))(assert (or (or true q) r (=> q false)))(check-sat)",
    b"<?xml version='1.0'?><!-- c --><a x=1 y='2'><b x=\"3\">text</b><br>more<c/></a><d></d>",
    b"[{\"id\": 1, \"a\": [\"x\"]}, {\"id\": 2}]\nkey: 1\nother:\n  - key: 3\n  - 4\n",
    // A WebAssembly module: a type, a function that is exported and calls itself, a section of one's
    // own.
    b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0\x07\x05\x01\x01f\0\0\x0a\x0a\x01\x08\x01\x01\x7f\x10\0\x10\0\x0b\0\x05\x01nabc",
    b"\0asm\x01\0\0\0\x05\xff\xff\xff\xff\x0f\x02\0\x01",
    b"\x92\x92\x01\xa1a\x81\x02\xc0",
    b"--- |\n  define internal i32 @f(i32 %0) #0 {\n    ret i32 %0\n  }\n...\n---\nname: f\nbody: |\n  bb.0 (%ir-block.1):\n    successors: %bb.1(0x40), %bb.2(0x40)\n    liveins: $rdi\n    %0:gr32 = COPY $edi\n    %1:gr32 = MOV32rm %0, 1, $noreg, 0, $noreg :: (load (s32) from %ir.2)\n    JCC_1 %bb.2, 5\n  bb.1:\n    %2:gr32, dead %3:gr32 = ADD %0.sub, %1\n  bb.2:\n    %4:gr32 = PHI %1, %bb.0, %2, %bb.1\n    $eax = COPY %4\n...\n---\nname: 'g'\n...\n",
    b"--- |\ndefine @\n}\ndefine i8 @f(\n}\n---\nname:f\nbody:\nbb. (%ir-:\n%:% = %bb. PHI %bb.(\nbb.1\n%a.b:c = %d, %bb.1(\n%e:f, = ) :: (",
    b"(module (func $x (import \"a\" \"b\")) (func (;1;) (param i32) local.get 0 if call 2 else nop nop nop end)\n(func (export \"e\") (call $x) (block (drop (ref.func 1)))) (export \"f\" (func 1)) (start $x) (elem (i32.const 0) func 1 $x 2))(module(func call 1)(func call 0))",
    b"(module(func)(func(call 0)else end end block)(elem func 0 0 0(ref.func 1))(start 18446744073709551615)(export(func 1)(func 1)))(; (; ;) ;);",
    b"# c\nautoidx 9\nattribute \\top 1\nmodule \\m\n  parameter \\P 1'1\n  wire width 2 input 1 \\a\n  wire width 2 output 2 \\b\n  attribute \\src \"x \\\" y\"\n  wire width 2 $w\n  memory width 2 size 4 \\mem\n  cell $not $1\n    parameter \\WIDTH 2\n    connect \\A { \\a [1] 1'0 }\n    connect \\Y $w [1:0]\n  end\n  cell \\s \\i\n    connect \\p $w\n  end\n  process $p\n    assign { } { }\n    assign $w \\a\n    switch \\a [0]\n      case 1'1\n        assign \\b $w\n      case\n    end\n    sync posedge \\a [0]\n      update \\b $w\n  end\n  connect \\b $w\nend\nmodule \\s\n  wire inout 1 \\p\n  wire output 2 \\q\n  connect \\q \\p\nend\n",
    b"module $\nwire \\a\nwire input\\b\nwire input \\c\ncell\ncell $ \\a\nconnect\nswitch\nend\nend\nconnect {{ } \\a [\nconnect\nprocess\nend\nend",
    b"module \\a\nwire \"\\",
    include_bytes!("samples/small.onnx"),
    b"\x08\x08\x3a\x1f\x0a\x09\x0a\x01a\x12\x01a\x22\x01x\x0a\x06\x12\x01a\x22\x01y\x2a\x03\x42\x01a\x62\x03\x0a\x01a",
    include_bytes!("samples/small.spv"),
    include_bytes!("samples/small.spvasm"),
    b"OpA %b\n %c=OpD\n %e = OpF %e \"%g\\\"\n%h\" ; %i\n%j = OpTypeFloat OpLabel OpBranch %k %",
    b"\x07\x23\x02\x03\0\0\0\0\0\0\0\0\0\0\0\x09\0\0\0\0\0\x02\0\xf8\0\0\0\x01\0\x02\0\xf9\0\0\0\x01\0\x01\xff\xff\0\x03\0\x10\0\0\0\x01\0\0\0",
    include_bytes!("samples/small.gz"),
    include_bytes!("samples/small.png"),
    include_bytes!("samples/small.zip"),
    // Folders, and what looks like one.
    b"\x1ca/b\x1c\none\n\x1ca/c\x1c\n\x1cd\x1c\ntwo \x10S\x10\x10",
    b"\x1c\x1c\n\x1c\n\x1c/\x1c\n\x1c//a\x1c\n\x1c",
    b"\x1ca.h\x1c\n#include \"b/c.h\"\n\x1cb/c.h\x1c\n#include \"../a.h\"\nx\x1cd.rs\x1c\nmod d;mod e\n;\x1ce.rs\x1c\n",
    // PDF files with a broken table, and with a place for it that can't be.
    b"%PDF-\0\0 1 0 obj\nendobj\nxref/trailer\nstartxref 23\n",
    b"%PDF-1\nstartxref 18446744073709551615\n",
    b"a,\"b,\",d\r\n1,2,3\r\n\r\n4,5,6\r\n7",
    b"a,\"b\n,c\",d\r\n1,2,3",
    b"3: [a, b, c]\nx 7\nx 12\nx 0\nsum 19\n7 7 f(1, 2) f(g(x), (y, z)) g(4)",
    b"-1 - -2 * 3 99999999999999999999999 1_000 007 0b11 1e9",
    b"--- a\n+++ b\n@@ -1,3 +1,2 @@ f\n-a\n b\n-c\n+d\n@@ -9 +8 @@\n-e\n+f\n\\ No newline\n--- c\n@@ -1,0 +2,2 @@\n+g\n+",
    b"use z\n\ndef a = 1\n\ndef b = a\n\ndef c = b\n\nx\n\ndef d = 2\n\ndef e = d\n\ndef f = 3\n",
    b"a:\n.b:\n 1\nc:\n 2\nd:\n 3\ne:\n 4\nf:\n 5\ng:\n call a\n call c\n 6\n",
    b"Section s.\n\n Variable A : T.\n\nLemma a : A.\n\nEnd s.\n\nHint Resolve a.\n\n(* b\n\n c *)\n\nLemma d : T.\n\nImport e.\n\nLemma f : d.\n",
    b"(require 'z)\n; a\n(defun b (c) \"d\n\n (e\" (f-g c ?\\( 1)) ; h\n(defun f-g (i) #| ( |# `(j ,i)) (k)\n(define (l) #\\) [m {n 2}])\n(o '(f-g . l))\n(defstruct p q)\n(make-p)\n",
    b"{% set x = 1 %}\n{%- if a -%}\n b{% elif c %}d\n{% else %}\n{% for e in f %}g{% endfor %}\n{% endif %}{{#h}}{{/h}}<% i do |j| %>k<% end %><% if (l) { %><% } else { %><% } %>\n% m:\n% endm\n\\begin{n}\\ifx\\else\\fi\\end{n}[o]p[/o]<#q></#q>#if(r)#end",
    b"{% {% endif %} {{/ {{^}} <% } %> </# {/a}{a{b}{a} \\end{ \\begin{ #end #if(( [/ {%end%}{{end}}<%end%>\n%\n%end",
    b"(a \"\\",
    b"(a ?",
    b"#|",
    b"@@ -,1 +1 @@\n@@ -1,99999999999999999999 +1 @@\n a\n@@ -1 +1,5 @@\n+a\n@@ -2,2 +2,2 @@\n",
];

/// Every pass; the one that has to be told what a test reads, with files of these folders that it does not.
fn entries() -> Vec<Entry> {
    let told = |entry: &Entry| match entry.description.name {
        "delete_unread_files" => Entry {
            make: || {
                Box::new(DeleteUnreadFiles::new(
                    ["a/b", "d", "e.rs"].map(Into::into).into(),
                ))
            },
            ..*entry
        },
        _ => *entry,
    };
    PASSES.iter().map(told).collect()
}

fn check_patch(entry: &Entry, target: &Target<u8>, patch: &Patch<u8>) {
    let text = target.elements();
    let mut at = 0;
    for edit in patch.edits() {
        assert!(at <= edit.start && edit.start <= edit.end, "{entry:?}");
        assert!(edit.end <= text.len(), "{entry:?} beyond the end");
        at = edit.end;
    }
    let candidate = target.candidate(patch.clone());
    let ordering = compare(&Text, (candidate.len(), candidate.pieces()), text);
    assert!(
        ordering.is_lt(),
        "{entry:?} makes {:?} of {:?}",
        String::from_utf8_lossy(&candidate.build()),
        String::from_utf8_lossy(text)
    );
}

/// Grows `patch` as far as it goes in every direction; each amount has to do what the one before
/// it does.
fn check_growth(entry: &Entry, target: &Target<u8>, patch: &Patch<u8>) {
    let pass = (entry.make)();
    for direction in 0..pass.directions() {
        let mut smaller = patch.clone();
        // Some grow very far, so that not every amount can be looked at.
        let doubling = (8..usize::BITS).map(|bits| 1_usize << bits);
        for amount in (1..200).chain(doubling) {
            let Some(larger) = pass.grow(target, patch, direction, amount) else {
                for further in [amount + 1, 2 * amount, usize::MAX] {
                    let beyond = pass.grow(target, patch, direction, further);
                    assert_eq!(beyond, None, "{entry:?} goes on beyond its largest");
                }
                break;
            };
            // What is compressed may get longer by getting less.
            let packs = entry.description.name == "delete_packed_bytes";
            if !packs || larger.growth() < 0 {
                check_patch(entry, target, &larger);
            }
            let is_larger = larger.covers(&smaller)
                || packs
                || (larger.growth() < smaller.growth() || is_simpler(target, &larger, &smaller));
            assert!(
                is_larger,
                "{entry:?}: {:?} does not do what {:?} does",
                larger, smaller
            );
            assert_ne!(larger, smaller, "{entry:?} does not grow");
            smaller = larger;
        }
    }
}

fn is_simpler(target: &Target<u8>, a: &Patch<u8>, b: &Patch<u8>) -> bool {
    let (a, b) = (target.candidate(a.clone()), target.candidate(b.clone()));
    compare(&Text, (a.len(), a.pieces()), &b.build()).is_lt()
}

fn check_pass(entry: &Entry, text: &[u8], walk: &Walk) -> usize {
    let pass = (entry.make)();
    let target = Target::new(text.to_vec());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut tree = ChoiceTree::new();
    let (mut steps, mut proposed) = (0, 0);
    while let Some((_, step)) = tree.step(walk, &mut random, |chooser| pass.step(&target, chooser))
    {
        steps += 1;
        assert!(steps < 10_000, "{entry:?} does not end");
        if let Ok(patch) = step {
            proposed += 1;
            check_patch(entry, &target, &patch);
            check_growth(entry, &target, &patch);
        }
    }
    assert!(tree.is_exhausted());
    let after = tree.step(walk, &mut random, |chooser| pass.step(&target, chooser));
    assert!(after.is_none());
    proposed
}

#[test]
fn every_pass_keeps_the_contract() {
    for entry in &entries() {
        for text in TEXTS {
            let swept = check_pass(entry, text, &Walk::Sweep { from: vec![] });
            let random = check_pass(entry, text, &Walk::Random);
            assert_eq!(swept, random, "{entry:?} depends on the order of its steps");
        }
    }
}

#[test]
fn every_pass_has_something_to_do() {
    for entry in entries() {
        let pass = (entry.make)();
        let does = |text: &&[u8]| !ablate_engine::explain::reductions(&*pass, text).is_empty();
        assert!(TEXTS.iter().any(does), "{entry:?}");
    }
}

#[test]
fn every_pass_is_explained() {
    for entry in entries() {
        let pass = (entry.make)();
        assert_eq!(pass.name(), entry.description.name);
        assert!(pass.rank() <= 9);
        assert!(entry.description.summary().ends_with('.'), "{entry:?}");
        let explanation = entry.description.explanation();
        for part in ["Costs", "```", "reductions("] {
            assert!(explanation.contains(part), "{entry:?} without {part}");
        }
    }
}

/// Texts that are made to cost a reader dear: deep, wide, or without an end.
fn hostile_texts() -> Vec<Vec<u8>> {
    let deep = |open: &str, close: &str| {
        [
            open.repeat(50_000).into_bytes(),
            close.repeat(50_000).into_bytes(),
        ]
        .concat()
    };
    vec![
        deep("(", ")"),
        [b"(assert ".to_vec(), deep("(and x ", ")"), b")".to_vec()].concat(),
        [
            b"(assert ".to_vec(),
            deep("(let ((y x)) ", "x)"),
            b")".to_vec(),
        ]
        .concat(),
        b"(declare-const x Bool)(assert x)".repeat(10_000),
        [b"(module(func ".to_vec(), deep("(a ", ")"), b"))".to_vec()].concat(),
        b"OpBranch %a\n%a = OpLabel\n".repeat(20_000),
        [
            b"---\nname: f\nbody: |\n".to_vec(),
            b"  bb.0:\n    %0:a = PHI %0, %bb.0\n".repeat(20_000),
        ]
        .concat(),
        deep("<a>", "</a>"),
        deep("<a b='c'>", ""),
        b"<!--".repeat(50_000),
        deep("[{\"a\":", "}]"),
        b"[1],".repeat(50_000),
        [b"1 ".repeat(50_000), b"0\n".to_vec()].concat(),
        b"1 -2 0\n-1 2 0\n".repeat(10_000),
        (1..50_000)
            .map(|n| format!("{n} 0\n"))
            .collect::<String>()
            .into_bytes(),
        [
            b"p cnf 4000000000 1\n".to_vec(),
            b"2147483647 -2147483647 0\n".to_vec(),
        ]
        .concat(),
        b"(assert (= ((_ extract 4294967295 0) x) (_ bv99999999999999999999 4294967295)))".to_vec(),
        b"(declare-const x (_ BitVec 4294967295))(assert (= x x))".to_vec(),
    ]
}

/// The first steps of each pass on hostile texts. That they do not take for ever shows in how long
/// the test runs; that they do not crash is what it is for.
#[test]
fn hostile_texts_are_no_trouble() {
    for text in hostile_texts() {
        let target = Target::new(text);
        for entry in entries() {
            let began = std::time::Instant::now();
            let pass = (entry.make)();
            let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
            for walk in [Walk::Sweep { from: vec![] }, Walk::Random] {
                let mut tree = ChoiceTree::new();
                for _ in 0..5 {
                    let step = tree.step(&walk, &mut random, |c| pass.step(&target, c));
                    if let Some((_, Ok(patch))) = step {
                        for direction in 0..pass.directions() {
                            let _ = pass.grow(&target, &patch, direction, 3);
                        }
                    }
                }
            }
            if std::env::var_os("SLOW").is_some() && began.elapsed().as_millis() > 200 {
                let text = String::from_utf8_lossy(&target.elements()[..30]).into_owned();
                eprintln!("{entry:?} {text:?} {:?}", began.elapsed());
            }
        }
    }
}
