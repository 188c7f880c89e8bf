//! Lists of names, such as a module's exports: brackets in which nothing stands but names with commas
//! between them, each perhaps quoted or with its number of arguments. What names something there does
//! not need it: the name can go from the list.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ablate_engine::target::Target;

use crate::formats::brackets::Brackets;
use crate::formats::characters::is_word;
use crate::formats::tokens::{Kind, Token, Tokens};

/// A member of a list has so many tokens at most: `"name"`, `name/2`, `name as other`.
const LONGEST_MEMBER: usize = 5;

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
        let (mut at, end) = (tokens.from(interior.0), tokens.from(interior.1));
        let is_comma = |token: &Token| token.text(text) == b",";
        while at < end {
            // No further than a member goes: what is no list may be as long as the text.
            let longest = &tokens.all()[at..end.min(at + LONGEST_MEMBER + 1)];
            let member = longest.split(is_comma).next()?;
            let word = place_of_name(text, member)?;
            let (start, last) = (member.first()?, member.last()?);
            list.members.push((start.start as usize, last.end as usize));
            list.words.push(at + word);
            // A comma may end the list.
            at += member.len() + 1;
        }
        Some(list).filter(|list| !list.members.is_empty())
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

/// Where in a member its name stands, if it is nothing but a name: the first word, perhaps in quotes.
fn place_of_name(text: &[u8], member: &[Token]) -> Option<usize> {
    let belongs = |token: &Token| match token.kind {
        Kind::Word | Kind::Number => true,
        Kind::Operator | Kind::Mark => {
            matches!(token.text(text), b"/" | b":" | b"'" | b"\"" | b"`")
        }
        Kind::Space => false,
    };
    let place = usize::from(member.first()?.kind == Kind::Mark);
    let is_name = member.len() <= LONGEST_MEMBER
        && member.get(place)?.kind == Kind::Word
        && member.iter().all(belongs);
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
    }

    #[test]
    fn brackets_nested_deep_are_soon_told_to_be_no_lists() {
        let text = "(1 ".repeat(300_000) + &")".repeat(300_000);
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
