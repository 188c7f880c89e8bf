//! Texts in which a line defines a name, or a number, that other lines use: netlists, circuits,
//! transition systems, code for machines. The first word of a line is what it defines, if hardly
//! any other line begins with it. In code in static single assignment form (MLIR) names begin with `%`;
//! there functions have names of their own, and the type stands behind the last colon, or arrow.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::Range;

use ablate_engine::target::Target;

use crate::formats::characters::is_control;
use crate::formats::lines::Lines;
use crate::formats::tokens::{Kind, Token, Tokens};

/// So many marks may stand before the first word of a line.
const LEADING_MARKS: usize = 3;
/// One line in so many defines something that is used, or uses something, at least.
const SHARE: usize = 8;
/// Fewer definitions are left to other passes.
const HARDLY_ANY: usize = 2;
/// So many definitions are looked at for one of the same type.
const LOOKS_MAX: usize = 64;
/// What names begin with in code in static single assignment form.
const MARK: u8 = b'%';
/// Longer texts are not looked at.
const LONGEST_TEXT: usize = 1 << 20;

/// A use of what is defined elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// Where it stands.
    pub token: Token,
    /// In which line.
    pub line: u32,
    /// What is used, by its number.
    pub of: u32,
    /// Whether it is the negation: where all that is defined are even numbers, the odd ones.
    pub is_negated: bool,
}

/// A line that defines a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name.
    pub name: Token,
    /// The line.
    pub line: u32,
    /// What the line uses, among all uses.
    pub operands: Range<usize>,
    /// The type that it says it has: the number of the definition of that.
    pub of_type: Option<u32>,
    /// Whether it defines a type.
    pub is_type: bool,
    /// Where its names begin with a mark, what else has the same type and can be seen from it.
    mark: Option<Marked>,
}

/// What is known of a name that begins with a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Marked {
    /// The number of the first name of the same type; the type is known.
    first: u32,
    /// The function, as a number.
    scope: u32,
    /// How many blanks its line begins with.
    indent: u32,
}

impl Marked {
    /// Whether another one can stand for this.
    fn can_be(self, other: Marked) -> bool {
        self.first == other.first && self.scope == other.scope && other.indent <= self.indent
    }
}

/// The definitions of a text, and the uses of what they define.
#[derive(Debug, Default)]
pub struct Definitions {
    all: Vec<Definition>,
    uses: Vec<Use>,
    is_paired: bool,
}

/// Something that may stand where a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The number of a definition.
    pub of: u32,
    /// Whether it is its negation.
    pub is_negated: bool,
}

/// What lines begin with, and how often.
struct Head {
    token: Token,
    line: u32,
    /// How many lines begin with it, and how many of these go on behind it.
    lines: u32,
    longer: u32,
}

impl Definitions {
    /// The definitions of `target`; none where there are hardly any, if it is no
    /// text, or longer than 1 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Definitions> {
        let (tokens, lines) = (Tokens::of(target), Lines::of(target));
        target.analysis(|target| {
            let mut bytes = target.elements().iter();
            if target.len() > LONGEST_TEXT || bytes.any(|&byte| is_control(byte)) {
                return Definitions::default();
            }
            let found = Definitions::new(target.elements(), tokens.all(), &lines);
            let used: BTreeSet<u32> = found.uses.iter().map(|one| one.of).collect();
            let is_connected = |(one, number): &(&Definition, u32)| {
                !one.operands.is_empty() || used.contains(number)
            };
            let connected = found.all.iter().zip(0..).filter(is_connected).count();
            let enough = (lines.len() / SHARE)
                .max(found.all.len() / 2)
                .max(HARDLY_ANY);
            if connected >= enough {
                found
            } else {
                Definitions::default()
            }
        })
    }

    fn new(text: &[u8], tokens: &[Token], lines: &Lines) -> Definitions {
        let by_line = by_line(tokens, lines);
        if let Some(marked) = Definitions::marked(text, tokens, &by_line) {
            return marked;
        }
        let mut heads: BTreeMap<&[u8], Head> = BTreeMap::new();
        for (line, range) in (0..).zip(&by_line) {
            let Some(token) = head(&tokens[range.clone()]) else {
                continue;
            };
            let is_longer = range.len() > 1;
            let known = heads.entry(token.text(text)).or_insert(Head {
                token,
                line,
                lines: 0,
                longer: 0,
            });
            known.lines += 1;
            known.longer += u32::from(is_longer);
            // A line with nothing else only uses what another one defines.
            if is_longer && known.longer == 1 {
                (known.token, known.line) = (token, line);
            }
        }
        heads.retain(|_, head| head.longer == 1 || head.lines == 1);
        let is_odd = |name: &[u8]| number(name).is_some_and(|number| number % 2 == 1);
        let mut longer = heads.iter().filter(|(_, head)| head.longer == 1);
        let is_paired = longer.all(|(name, _)| !is_odd(name));
        heads.retain(|name, _| !is_paired || !is_odd(name));
        if heads.len() < lines.len() / SHARE {
            return Definitions::default();
        }
        let mut all: Vec<Definition> = heads
            .values()
            .map(|head| Definition {
                name: head.token,
                line: head.line,
                operands: 0..0,
                of_type: None,
                is_type: is_type(text, &tokens[by_line[head.line as usize].clone()]),
                mark: None,
            })
            .collect();
        all.sort_by_cached_key(|definition| definition.name.start);
        let name = |definition: &Definition| definition.name.text(text);
        let numbers: BTreeMap<&[u8], u32> = all
            .iter()
            .zip(0..)
            .map(|(one, number)| (name(one), number))
            .collect();
        let mut uses: Vec<Use> = Vec::new();
        for (line, range) in (0..).zip(&by_line) {
            let tokens = &tokens[range.clone()];
            let Some(head) = head(tokens) else { continue };
            let own = numbers.get(head.text(text)).copied();
            let own = own.filter(|&own| all[own as usize].line == line);
            let first = uses.len();
            for &token in tokens {
                let is_word = matches!(token.kind, Kind::Word | Kind::Number);
                if !is_word || own.is_some() && token == head {
                    continue;
                }
                let spelling = token.text(text);
                let plain = numbers.get(spelling).map(|&of| (of, false));
                let negated = || {
                    let even = number(spelling).filter(|n| is_paired && n % 2 == 1)? - 1;
                    let of = numbers.get(spelled(even).as_slice())?;
                    Some((*of, true))
                };
                let Some((of, is_negated)) = plain.or_else(negated) else {
                    continue;
                };
                // Numbers that come before may count something.
                let is_known = all[of as usize].name.kind == Kind::Word
                    || head.kind == Kind::Number
                        && (all[of as usize].name.start < token.start || tokens.len() == 1);
                if is_known && own != Some(of) {
                    uses.push(Use {
                        token,
                        line,
                        of,
                        is_negated,
                    });
                }
            }
            if let Some(own) = own {
                let mut types = uses[first..].iter().map(|operand| operand.of);
                let of_type = types.find(|&of| all[of as usize].is_type);
                all[own as usize].operands = first..uses.len();
                all[own as usize].of_type = of_type;
            }
        }
        Definitions {
            all,
            uses,
            is_paired,
        }
    }

    /// Those of a text in which what lines define begins with a mark, as everything that uses it does;
    /// `None` where it is another one.
    fn marked(text: &[u8], tokens: &[Token], by_line: &[Range<usize>]) -> Option<Definitions> {
        let is_marked =
            |token: &Token| (token.start as usize).checked_sub(1).map(|at| text[at]) == Some(MARK);
        let defines = |line: &[Token]| {
            let name = *head(line).as_ref().filter(|name| is_marked(name))?;
            let behind = text[name.end as usize..].iter();
            let sign = behind.copied().find(|byte| *byte != b' ');
            (sign == Some(b'=')).then_some(name)
        };
        let heads = by_line.iter().map(|range| defines(&tokens[range.clone()]));
        let heads: Vec<Option<Token>> = heads.collect();
        if heads.iter().flatten().count() < by_line.len() / 2 {
            return None;
        }
        let mut found = Definitions::default();
        let mut types: BTreeMap<&[u8], u32> = BTreeMap::new();
        let mut known: BTreeMap<&[u8], u32> = BTreeMap::new();
        let mut scope = 0;
        for (line, (range, name)) in (0..).zip(by_line.iter().zip(&heads)) {
            let first = found.uses.len();
            let of = |token: &Token| known.get(token.text(text)).copied();
            let used = tokens[range.clone()]
                .iter()
                .filter(|token| is_marked(token));
            let used = used.filter(|token| Some(**token) != *name);
            let used = used.filter_map(|token| Some((*token, of(token)?)));
            found.uses.extend(used.map(|(token, of)| Use {
                token,
                line,
                of,
                is_negated: false,
            }));
            let Some(name) = *name else { continue };
            let number = found.all.len() as u32;
            if known.contains_key(name.text(text)) {
                known.clear();
                scope += 1;
            }
            known.insert(name.text(text), number);
            let start = name.start as usize - 1;
            let indent = text[..start]
                .iter()
                .rev()
                .take_while(|byte| **byte == b' ')
                .count() as u32;
            let rest = text[start..].split(|byte| *byte == b'\n').next();
            let mark = type_of(rest.unwrap_or_default()).map(|of_type| Marked {
                first: *types.entry(of_type).or_insert(number),
                scope,
                indent,
            });
            found.all.push(Definition {
                name,
                line,
                operands: first..found.uses.len(),
                of_type: None,
                // What has no type that is known stands for nothing.
                is_type: mark.is_none(),
                mark,
            });
        }
        Some(found)
    }

    /// All definitions, in the order of their lines.
    pub fn all(&self) -> &[Definition] {
        &self.all
    }

    /// All uses, by position.
    pub fn uses(&self) -> &[Use] {
        &self.uses
    }

    /// What may stand where the name is used: the last or the first thing that its own line uses, or what
    /// else there is of its type before it.
    pub fn replacement(&self, number: usize, is_last: bool) -> Option<Value> {
        let own = &self.all[number];
        let fits = |of: u32| {
            let other = &self.all[of as usize];
            let can_be = own
                .mark
                .zip(other.mark)
                .is_none_or(|(own, other)| own.can_be(other));
            !other.is_type && other.of_type == own.of_type && can_be
        };
        if own.is_type {
            return None;
        }
        let operands = self.uses[own.operands.clone()].iter();
        let mut fitting = operands.filter(|operand| fits(operand.of));
        let operand = if is_last {
            fitting.next_back()
        } else {
            fitting.next()
        };
        let operand = operand.map(|operand| Value {
            of: operand.of,
            is_negated: operand.is_negated,
        });
        operand.or_else(|| {
            own.of_type.or(own.mark.map(|mark| mark.first))?;
            let before = 0..number as u32;
            let of = if is_last {
                before.rev().take(LOOKS_MAX).find(|&of| fits(of))
            } else {
                before.take(LOOKS_MAX).find(|&of| fits(of))
            };
            Some(Value {
                of: of?,
                is_negated: false,
            })
        })
    }

    /// How a value is written.
    pub fn spelling(&self, text: &[u8], value: Value) -> Vec<u8> {
        let name = self.all[value.of as usize].name.text(text);
        match number(name) {
            Some(number) if value.is_negated && self.is_paired => spelled(number + 1),
            _ => name.to_vec(),
        }
    }
}

/// The type that the definition in a line says it has: behind the last colon that is not in brackets, and
/// the last arrow behind that.
fn type_of(line: &[u8]) -> Option<&[u8]> {
    let (mut depth, mut is_string, mut start) = (0_i32, false, None);
    for (at, &byte) in line.iter().enumerate() {
        is_string ^= byte == b'"';
        let is_arrow = byte == b'>' && line[..at].ends_with(b"-");
        match byte {
            _ if is_string => {}
            _ if is_arrow && depth == 0 && start.is_some() => start = Some(at + 1),
            _ if is_arrow => {}
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth -= 1,
            b':' if depth == 0 => start = Some(at + 1),
            _ => {}
        }
    }
    let of_type = line[start.filter(|_| depth == 0)?..].trim_ascii();
    (!of_type.is_empty()).then_some(of_type)
}

/// The tokens of each line.
fn by_line(tokens: &[Token], lines: &Lines) -> Vec<Range<usize>> {
    let mut at = 0;
    let ranges = (0..lines.len()).map(|line| {
        let end = lines.range(line).1;
        let start = at;
        at += tokens[at..]
            .iter()
            .take_while(|token| (token.start as usize) < end)
            .count();
        start..at
    });
    ranges.collect()
}

/// The first word of a line, if hardly any marks stand before it.
fn head(tokens: &[Token]) -> Option<Token> {
    let is_word = |token: &&Token| matches!(token.kind, Kind::Word | Kind::Number);
    tokens.iter().take(LEADING_MARKS + 1).find(is_word).copied()
}

/// Whether a line says that it defines a type.
fn is_type(text: &[u8], tokens: &[Token]) -> bool {
    let behind = tokens
        .iter()
        .filter(|token| token.kind == Kind::Word)
        .take(2);
    behind
        .into_iter()
        .any(|word| matches!(word.text(text), b"sort" | b"type"))
}

fn number(digits: &[u8]) -> Option<u64> {
    let is_plain = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let digits = core::str::from_utf8(digits).ok().filter(|_| is_plain)?;
    digits.parse().ok().filter(|&number| number < u64::MAX)
}

fn spelled(number: u64) -> Vec<u8> {
    alloc::format!("{number}").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> (Target<u8>, Rc<Definitions>) {
        let target = Target::new(text.as_bytes().to_vec());
        let definitions = Definitions::of(&target);
        (target, definitions)
    }

    fn replacements(text: &str, is_last: bool) -> Vec<alloc::string::String> {
        let (target, definitions) = of(text);
        let all = 0..definitions.all().len();
        let values = all.filter_map(|number| {
            let value = definitions.replacement(number, is_last)?;
            let spelling = definitions.spelling(target.elements(), value);
            let name = definitions.all()[number].name.text(target.elements());
            let both = [name, &spelling].map(alloc::string::String::from_utf8_lossy);
            Some(both.join("="))
        });
        values.collect()
    }

    #[test]
    fn gates_stand_for_what_they_are_made_of() {
        let text = "aag 5 2 0 1 3\n2\n4\n11\n6 4 2\n8 7 3\n10 9 6\n";
        assert_eq!(replacements(text, true), ["6=2", "8=3", "10=6"]);
        assert_eq!(replacements(text, false), ["6=4", "8=7", "10=9"]);
        let (_, definitions) = of(text);
        let output = definitions.uses().first().unwrap();
        assert!(output.is_negated && output.line == 3);
        assert_eq!(definitions.all()[output.of as usize].line, 6);
    }

    #[test]
    fn what_has_a_type_stands_for_others_of_the_type() {
        let text = "1 sort bitvec 8\n2 sort bitvec 1\n3 input 1 a\n4 input 1 b\n5 input 2\n\
                    6 add 1 3 4\n7 ult 2 3 6\n8 and 2 7 5\n9 bad 8\n";
        assert_eq!(replacements(text, true), ["4=3", "6=4", "7=5", "8=5"]);
    }

    #[test]
    fn names_are_words_too() {
        let text =
            "INPUT(a)\nINPUT(b)\nOUTPUT(d)\nOUTPUT(e)\nc = AND(a, b)\nd = NOT(c)\ne = OR(d, c)\n";
        assert_eq!(replacements(text, true), ["d=c", "e=c"]);
    }

    #[test]
    fn names_with_a_mark_stand_for_what_has_the_same_type_in_their_function() {
        let text = "func @f(%a: i1) {\n  %0 = const 0 : i8\n  %1 = const 1 : i16\n  %2 = add %0, %0 {n = 1 : i2} : i8\n  \
                    %3 = if %a -> i8 {\n    %4 = const 4 : i8\n    %5 = ext %4 : (i8) -> i16\n  }\n  \
                    %6 = use 2 : (i8, i16) -> i8\n  return %6, %1\n}\nfunc @g() {\n  %0 = const 5 : i8\n  \
                    %1 = const 6 : i8\n  return %1\n}\n";
        // What is defined further in can't be seen from outside.
        assert_eq!(
            replacements(text, true),
            ["2=0", "4=2", "5=1", "6=2", "1=0"]
        );
        let (target, definitions) = of(text);
        let uses = definitions.uses().iter();
        let used = uses.map(|one| one.token.text(target.elements()));
        let used: Vec<&[u8]> = used.collect();
        assert_eq!(used, [b"0", b"0", b"4", b"6", b"1", b"1"]);
    }

    #[test]
    fn rows_of_a_table_define_nothing() {
        let rows = (0..50).map(|row| alloc::format!("{row},{},{}\n", row * 70 + 3, row * 100));
        assert_eq!(
            of(&rows.collect::<alloc::string::String>()).1.all().len(),
            0
        );
        assert_eq!(of("2024 a\n2024 b\n2025 c\n2025 d\n").1.all().len(), 0);
    }
}
