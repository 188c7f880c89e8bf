//! Lists of names, such as a module's exports: brackets in which nothing stands but names with commas
//! between them, each perhaps quoted, or with its number of arguments, or in brackets behind a word:
//! `[?PASS(a), ?PASS(b)]`. Comments to the end of a line may stand between them. What names something
//! there does not need it: the name can go from the list.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use crate::formats::brackets::Brackets;
use crate::formats::characters::is_word;
use crate::formats::tokens::{Kind, Token, Tokens};

/// A member of a list has so many tokens at most: `"name"`, `name/2`, `name as other`, `?PASS(name/2)`.
const LONGEST_MEMBER: usize = 7;

/// What is longer is no comment in a list.
const LONGEST_COMMENT: usize = 1024;

/// A list of names.
#[derive(Debug)]
pub struct List {
    /// What is between the brackets.
    interior: (usize, usize),
    /// The members in order: each without what separates it from the others.
    members: Vec<(usize, usize)>,
    /// For each the place of its first word among all tokens.
    words: Vec<usize>,
}

/// The lists of names of a text, in order.
#[derive(Debug)]
pub struct Lists(Vec<List>);

impl Lists {
    /// Those of `target`; none if it is longer than 4 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Lists> {
        let (tokens, brackets) = (Tokens::of(target), Brackets::of(target));
        target.analysis(|target| {
            let text = target.elements();
            let all = brackets.all().iter();
            let lists = all.filter_map(|pair| List::read(text, &tokens, pair.range()));
            Lists(lists.collect())
        })
    }

    /// All of them.
    pub fn all(&self) -> &[List] {
        &self.0
    }
}

impl List {
    /// The list in a pair of brackets, if it is one. What stands directly behind a word is a call or
    /// an index; what is in braces, a value.
    fn read(text: &[u8], tokens: &Tokens, (open, after): (usize, usize)) -> Option<List> {
        if text[open] == b'{' || open > 0 && is_word(text[open - 1]) {
            return None;
        }
        let interior = (open + 1, after - 1);
        let mut list = List {
            interior,
            members: Vec::new(),
            words: Vec::new(),
        };
        let all = &tokens.all()[..tokens.from(interior.1)];
        let mut at = behind_comments(text, all, tokens.from(interior.0));
        while at < all.len() {
            // No further than a member goes: what is no list may be as long as the text.
            let longest = &all[at..all.len().min(at + LONGEST_MEMBER + 1)];
            let ends = |token: &Token| token.text(text) == b"," || begins_comment(text, token);
            let member = longest.split(ends).next()?;
            let word = place_of_name(text, member)?;
            let (start, last) = (member.first()?, member.last()?);
            list.members.push((start.start as usize, last.end as usize));
            list.words.push(at + word);
            at = behind_comments(text, all, at + member.len());
            if let Some(comma) = all.get(at) {
                if comma.text(text) != b"," {
                    return None;
                }
                // It may end the list.
                at = behind_comments(text, all, at + 1);
            }
        }
        // One alone with brackets behind it is a call, and with round ones around it an expression.
        let is_call = |member: &(usize, usize)| text[member.1 - 1] == b')';
        let is_list = match &list.members[..] {
            [] => false,
            [only] => !is_call(only) && text[open] != b'(',
            _ => true,
        };
        is_list.then_some(list)
    }

    /// Where it begins, behind the bracket.
    pub fn start(&self) -> usize {
        self.interior.0
    }

    /// For each member the place of its name among the tokens of the text.
    pub fn words(&self) -> &[usize] {
        &self.words
    }

    /// What to delete for the list to be without some members.
    pub fn without(&self, is_gone: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
        let mut cuts = Vec::new();
        let mut has_any = false;
        for (number, &(start, end)) in self.members.iter().enumerate() {
            if !is_gone(number) {
                if !has_any && number > 0 {
                    cuts.push((self.interior.0, start));
                }
                has_any = true;
            } else if has_any {
                cuts.push((self.members[number - 1].1, end));
            }
        }
        if !has_any {
            cuts.push(self.interior);
        }
        cuts
    }
}

/// Whether a token is what comments begin with, with a blank behind it.
fn begins_comment(text: &[u8], token: &Token) -> bool {
    const MARKS: [&[u8]; 5] = [b"%", b"#", b"//", b"--", b";"];
    let has_blank = text
        .get(token.end as usize)
        .is_some_and(|&b| b == b' ' || b == b'\t');
    let marks = token.text(text);
    has_blank
        && MARKS
            .iter()
            .any(|mark| marks.starts_with(mark) && marks.iter().all(|b| mark.contains(b)))
}

/// The first token from `at` on that is in no comment to the end of a line.
fn behind_comments(text: &[u8], tokens: &[Token], mut at: usize) -> usize {
    while let Some(token) = tokens.get(at).filter(|token| begins_comment(text, token)) {
        let end = token.end as usize;
        let rest = &text[end..text.len().min(end + LONGEST_COMMENT)];
        let Some(length) = rest.iter().position(|&byte| byte == b'\n') else {
            break;
        };
        let end = end + length;
        let behind = tokens[at..].iter();
        at += behind
            .take_while(|token| (token.start as usize) < end)
            .count();
    }
    at
}

/// Where in a member its name stands, if it is about nothing but a name: the first word, perhaps in
/// quotes, the one with its number of arguments, the one in brackets.
fn place_of_name(text: &[u8], member: &[Token]) -> Option<usize> {
    if member.len() > LONGEST_MEMBER {
        return None;
    }
    let is = |at: usize, mark: &[u8]| member.get(at).is_some_and(|token| token.text(text) == mark);
    let place = usize::from(member.first()?.kind != Kind::Word);
    if is(place + 1, b"(") && is(member.len() - 1, b")") {
        let inner = place_of_name(text, &member[place + 2..member.len() - 1])?;
        return Some(place + 2 + inner);
    }
    let belongs = |token: &Token| match token.kind {
        Kind::Word | Kind::Number => true,
        Kind::Operator | Kind::Mark => {
            matches!(
                token.text(text),
                b"/" | b":" | b"'" | b"\"" | b"`" | b"&" | b"?"
            )
        }
        Kind::Space => false,
    };
    // `fun name/2`.
    let place = place + usize::from(is(place + 2, b"/") && member[place + 1].kind == Kind::Word);
    let is_name = member.get(place)?.kind == Kind::Word && member.iter().all(belongs);
    is_name.then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(text: &str, gone: &[usize]) -> Vec<alloc::string::String> {
        let target = Target::new(text.as_bytes().to_vec());
        let lists = Lists::of(&target);
        let shorter = lists.all().iter().map(|list| {
            let mut shorter = alloc::string::String::from(text);
            for (start, end) in list
                .without(|member| gone.contains(&member))
                .into_iter()
                .rev()
            {
                shorter.replace_range(start..end, "");
            }
            shorter
        });
        shorter.collect()
    }

    #[test]
    fn a_list_remains_a_list_without_some_of_its_members() {
        let text = "-export([a/1, b/2,\n  c/0]).";
        assert_eq!(without(text, &[]), [text]);
        assert_eq!(without(text, &[0]), ["-export([b/2,\n  c/0])."]);
        assert_eq!(without(text, &[0, 1]), ["-export([c/0])."]);
        assert_eq!(without(text, &[1]), ["-export([a/1,\n  c/0])."]);
        assert_eq!(without(text, &[1, 2]), ["-export([a/1])."]);
        assert_eq!(without(text, &[0, 2]), ["-export([b/2])."]);
        assert_eq!(without(text, &[0, 1, 2]), ["-export([])."]);
        assert_eq!(without("x = ['a', \"b\",]", &[0]), ["x = [\"b\",]"]);
        assert_eq!(without("[fun a/1, fun b/2]", &[1]), ["[fun a/1]"]);
        let commented = "[ % all\n a, % one, two\n b % three\n]";
        assert_eq!(without(commented, &[0]), ["[b % three\n]"]);
        assert_eq!(without(commented, &[1]), ["[ % all\n a % three\n]"]);
        assert_eq!(without("[?PASS(a), ?PASS(b/1)]", &[0]), ["[?PASS(b/1)]"]);
    }

    #[test]
    fn the_name_is_what_a_member_is_about() {
        let named = |text: &str| {
            let target = Target::new(text.as_bytes().to_vec());
            let (lists, tokens) = (Lists::of(&target), Tokens::of(&target));
            let words = lists.all()[0].words().iter();
            let name = |&word: &usize| tokens.all()[word].text(text.as_bytes());
            words.map(name).collect::<Vec<_>>().concat()
        };
        for text in [
            "(a, b as c)",
            "[a/1, 'b'/2]",
            "[fun a/1, &b/1]",
            "[?P(a), Q(b/2)]",
        ] {
            assert_eq!(named(text), b"ab", "{text}");
        }
    }

    #[test]
    fn brackets_nested_deep_are_soon_told_to_be_no_lists() {
        let text = "(1 ".repeat(300_000) + &")".repeat(300_000);
        assert!(Lists::of(&Target::new(text.into())).all().is_empty());
        let text = "[ ; ".repeat(200_000) + &"]".repeat(200_000);
        assert!(Lists::of(&Target::new(text.into())).all().is_empty());
    }

    #[test]
    fn what_holds_more_than_names_is_no_list_of_names() {
        for text in [
            "f(a, b)", "a[b]", "{a, b}", "[a, 1]", "[f(a)]", "[]", "[a, , b]", "[a = b]",
        ] {
            assert!(
                Lists::of(&Target::new(text.into())).all().is_empty(),
                "{text}"
            );
        }
    }
}
