//! DIMACS CNF: clauses of literals, each ended by `0`, and a header `p cnf VARIABLES CLAUSES` that
//! may be missing. Lines that start with a letter are comments or extensions, and stay as they are.

use alloc::rc::Rc;
use alloc::string::ToString;
use alloc::vec::Vec;

use ablate_engine::patch::{Conflict, Edit, Patch};
use ablate_engine::target::Target;

/// The longest text that is read as a formula.
const LONGEST_TEXT: usize = 64 << 20;

/// One literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    /// Where its number starts, with its sign.
    pub start: u32,
    /// The position after its number.
    pub end: u32,
    /// Where what follows it starts: the next literal, or the `0`.
    pub next: u32,
    /// The variable's number, negative where the variable is negated.
    pub value: i32,
}

impl Literal {
    /// The number of its variable.
    pub fn variable(&self) -> u32 {
        self.value.unsigned_abs()
    }

    /// The number, without what follows.
    pub fn range(&self) -> (usize, usize) {
        (self.start as usize, self.end as usize)
    }

    /// The number with the space after it.
    pub fn cut(&self) -> (usize, usize) {
        (self.start as usize, self.next as usize)
    }
}

/// One clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Where its first literal starts, or the `0` of an empty clause.
    pub start: u32,
    /// The position after its `0`.
    pub zero: u32,
    /// The position after its line end.
    pub end: u32,
    first: u32,
    last: u32,
}

impl Clause {
    /// The clause with its line end.
    pub fn range(&self) -> (usize, usize) {
        (self.start as usize, self.end as usize)
    }
}

/// The header, where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Header {
    /// Where the number of variables stands.
    variables: (u32, u32),
    /// Where the number of clauses stands.
    clauses: (u32, u32),
    stated_variables: u32,
    stated_clauses: u32,
}

/// A formula.
#[derive(Debug, Default)]
pub struct Cnf {
    header: Option<Header>,
    clauses: Vec<Clause>,
    literals: Vec<Literal>,
    /// The clauses of each variable, in order: `(variable, clause)`, each pair once.
    uses: Vec<(u32, u32)>,
    /// The variables that occur, by number.
    variables: Vec<u32>,
}

impl Cnf {
    /// The formula that `target` is; one without clauses if it is none, or longer than 64 MiB.
    pub fn of(target: &Target<u8>) -> Rc<Cnf> {
        target.analysis(|target| Cnf::read(target.elements()).unwrap_or_default())
    }

    pub(crate) fn read(text: &[u8]) -> Option<Cnf> {
        if text.len() > LONGEST_TEXT {
            return None;
        }
        let mut cnf = Cnf::default();
        let mut at = 0;
        let mut open: Option<(u32, u32)> = None;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let start = at;
            at += line.len();
            let first = line.iter().position(|byte| !byte.is_ascii_whitespace());
            let Some(first) = first else { continue };
            if line[first].is_ascii_alphabetic() && open.is_none() {
                if line[first] == b'p' {
                    if cnf.header.is_some() || !cnf.clauses.is_empty() {
                        return None;
                    }
                    cnf.header = Some(header(line, start)?);
                }
                continue;
            }
            cnf.read_numbers(line, start, &mut open)?;
            // Without a header, only lines of clauses make a formula.
            if cnf.header.is_none() && open.is_some() {
                return None;
            }
        }
        if open.is_some() || cnf.literals.is_empty() {
            return None;
        }
        cnf.index();
        Some(cnf)
    }

    /// Reads the numbers of one line; `open` is where an unfinished clause starts in the text and
    /// among the literals.
    fn read_numbers(
        &mut self,
        line: &[u8],
        start: usize,
        open: &mut Option<(u32, u32)>,
    ) -> Option<()> {
        let mut at = 0;
        while at < line.len() {
            if line[at].is_ascii_whitespace() {
                at += 1;
                continue;
            }
            let rest = &line[at..];
            let length = rest.iter().position(u8::is_ascii_whitespace);
            let end = at + length.unwrap_or(rest.len());
            let value: i32 = core::str::from_utf8(&line[at..end]).ok()?.parse().ok()?;
            let (position, after) = ((start + at) as u32, (start + end) as u32);
            let count = self.literals.len();
            if let Some(literal) = self.literals.last_mut()
                && open.is_some_and(|(_, first)| (first as usize) < count)
            {
                literal.next = position;
            }
            let (from, first) = *open.get_or_insert((position, self.literals.len() as u32));
            if value == 0 {
                let blanks = line[end..].iter().take_while(|&&b| b == b' ' || b == b'\r');
                let mut past = end + blanks.count();
                past += usize::from(line.get(past) == Some(&b'\n'));
                self.clauses.push(Clause {
                    start: from,
                    zero: after,
                    end: (start + past) as u32,
                    first,
                    last: self.literals.len() as u32,
                });
                *open = None;
            } else {
                if value == i32::MIN {
                    return None;
                }
                self.literals.push(Literal {
                    start: position,
                    end: after,
                    next: after,
                    value,
                });
            }
            at = end;
        }
        Some(())
    }

    fn index(&mut self) {
        for (number, clause) in self.clauses.iter().enumerate() {
            let literals = &self.literals[clause.first as usize..clause.last as usize];
            self.uses
                .extend(literals.iter().map(|l| (l.variable(), number as u32)));
        }
        self.uses.sort_unstable();
        self.uses.dedup();
        self.variables
            .extend(self.uses.chunk_by(|a, b| a.0 == b.0).map(|of| of[0].0));
    }

    /// All clauses, by position.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The literals of a clause.
    pub fn literals(&self, clause: &Clause) -> &[Literal] {
        &self.literals[clause.first as usize..clause.last as usize]
    }

    /// All literals, by position.
    pub fn all_literals(&self) -> &[Literal] {
        &self.literals
    }

    /// The variables that occur, by number.
    pub fn variables(&self) -> &[u32] {
        &self.variables
    }

    /// The numbers of the clauses in which a variable occurs.
    pub fn clauses_of(&self, variable: u32) -> impl Iterator<Item = usize> + '_ {
        let first = self.uses.partition_point(|of| of.0 < variable);
        let of = self.uses[first..].iter();
        of.take_while(move |of| of.0 == variable)
            .map(|of| of.1 as usize)
    }

    /// The literals of a variable.
    pub fn occurrences(&self, variable: u32) -> impl Iterator<Item = &Literal> {
        self.clauses_of(variable)
            .flat_map(|clause| self.literals(&self.clauses[clause]))
            .filter(move |literal| literal.variable() == variable)
    }

    /// The number of the clause that starts at `start`.
    pub fn clause_at(&self, start: usize) -> Option<usize> {
        let found = self
            .clauses
            .binary_search_by_key(&start, |c| c.start as usize);
        found.ok()
    }

    /// The number of the clause that ends, with its line end, at `end`.
    pub fn clause_before(&self, end: usize) -> Option<usize> {
        let found = self.clauses.binary_search_by_key(&end, |c| c.end as usize);
        found.ok()
    }

    /// The edits that make a literal true: its clauses go, and so does its negation elsewhere.
    pub fn assigned(&self, literal: i32) -> Vec<Edit<u8>> {
        let mut edits = Vec::new();
        for clause in self.clauses_of(literal.unsigned_abs()) {
            let clause = &self.clauses[clause];
            let literals = self.literals(clause);
            if literals.iter().any(|other| other.value == literal) {
                edits.push(cut(clause.range()));
            } else {
                let negated = literals.iter().filter(|other| other.value == -literal);
                edits.extend(negated.map(|other| cut(other.cut())));
            }
        }
        edits
    }

    /// What stands for the number of variables in the header: where it is, if it is not too small.
    pub fn stated_variables(&self) -> Option<(u32, (usize, usize))> {
        let header = self.header.filter(|_| self.is_header_right())?;
        let (start, end) = header.variables;
        Some((header.stated_variables, (start as usize, end as usize)))
    }

    fn is_header_right(&self) -> bool {
        self.header.is_some_and(|header| {
            header.stated_clauses as usize == self.clauses.len()
                && self.variables.last().copied().unwrap_or(0) <= header.stated_variables
        })
    }

    /// These edits, and that of the header that they make necessary: its number of clauses stays
    /// right if it was.
    ///
    /// # Errors
    /// When the edits want different things of the same place.
    pub fn stated(&self, edits: impl IntoIterator<Item = Edit<u8>>) -> Result<Patch<u8>, Conflict> {
        let patch = Patch::edits_of(edits)?;
        let Some(header) = self.header.filter(|_| self.is_header_right()) else {
            return Ok(patch);
        };
        let (start, end) = (header.clauses.0 as usize, header.clauses.1 as usize);
        let others = patch.edits().iter().filter(|edit| edit.start != start);
        let left = self.clauses.len() - self.clauses_cut(&patch);
        if left == self.clauses.len() {
            return Patch::edits_of(others.cloned());
        }
        let restated = Edit {
            start,
            end,
            insert: Some(left.to_string().into_bytes().into()),
        };
        Patch::edits_of(others.cloned().chain([restated]))
    }

    /// What both patches do, with the header that both of them make necessary.
    ///
    /// # Errors
    /// When the patches want different things of the same place.
    pub fn combined(&self, one: &Patch<u8>, other: &Patch<u8>) -> Result<Patch<u8>, Conflict> {
        let Some(header) = self.header.filter(|_| self.is_header_right()) else {
            return one.combined(other);
        };
        let is_header = |edit: &&Edit<u8>| edit.start != header.clauses.0 as usize;
        let both = one.edits().iter().chain(other.edits()).filter(is_header);
        self.stated(both.cloned())
    }

    /// How many clauses the patch cuts as a whole.
    fn clauses_cut(&self, patch: &Patch<u8>) -> usize {
        let count = |edit: &Edit<u8>| {
            let first = self
                .clauses
                .partition_point(|c| (c.start as usize) < edit.start);
            let after = self
                .clauses
                .partition_point(|c| (c.zero as usize) <= edit.end);
            after.saturating_sub(first)
        };
        patch
            .edits()
            .iter()
            .filter(|edit| edit.is_cut())
            .map(count)
            .sum()
    }
}

/// The cut of a range, as an edit.
pub fn cut((start, end): (usize, usize)) -> Edit<u8> {
    Edit {
        start,
        end,
        insert: None,
    }
}

fn header(line: &[u8], start: usize) -> Option<Header> {
    let mut words: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    for word in line.split(u8::is_ascii_whitespace) {
        if !word.is_empty() {
            words.push((at, at + word.len()));
        }
        at += word.len() + 1;
    }
    let [p, cnf, variables, clauses] = words[..] else {
        return None;
    };
    if &line[p.0..p.1] != b"p" || &line[cnf.0..cnf.1] != b"cnf" {
        return None;
    }
    let number = |(from, to): (usize, usize)| {
        let number = core::str::from_utf8(&line[from..to]).ok()?;
        number.parse::<u32>().ok()
    };
    let place = |(from, to): (usize, usize)| ((start + from) as u32, (start + to) as u32);
    Some(Header {
        variables: place(variables),
        clauses: place(clauses),
        stated_variables: number(variables)?,
        stated_clauses: number(clauses)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_stated(text: &str, clauses: &[usize], expected: &str) {
        let cnf = Cnf::read(text.as_bytes()).unwrap();
        let cuts = clauses
            .iter()
            .map(|&clause| cut(cnf.clauses[clause].range()));
        let patch = cnf.stated(cuts).unwrap();
        assert_eq!(patch.applied(text.as_bytes()), expected.as_bytes());
    }

    #[test]
    fn clauses_may_span_lines_or_share_one() {
        let cnf = Cnf::read(b"c one\np cnf 3 3\n1 -2\n0 2 3 0\n0\n").unwrap();
        let values = |clause| -> Vec<i32> {
            let literals = cnf.literals(&cnf.clauses[clause]);
            literals.iter().map(|l| l.value).collect()
        };
        assert_eq!(
            [values(0), values(1), values(2)],
            [vec![1, -2], vec![2, 3], vec![]]
        );
        assert_eq!(cnf.variables(), [1, 2, 3]);
        assert_eq!(cnf.clauses_of(2).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_header_that_was_right_stays_right() {
        check_stated("p cnf 2 2\n1 0\n2 0\n", &[0], "p cnf 2 1\n2 0\n");
        check_stated("p cnf 2 9\n1 0\n2 0\n", &[0], "p cnf 2 9\n2 0\n");
        check_stated("1 0\n2 0\n", &[1], "1 0\n");
    }

    #[test]
    fn the_headers_of_two_patches_become_that_of_both() {
        let text = b"p cnf 3 3\n1 0\n2 0\n3 0\n";
        let cnf = Cnf::read(text).unwrap();
        let patch = |clause: usize| cnf.stated([cut(cnf.clauses[clause].range())]).unwrap();
        assert!(patch(0).combined(&patch(2)).is_ok());
        let both = cnf.combined(&patch(0), &patch(2)).unwrap();
        assert_eq!(both.applied(text), b"p cnf 3 1\n2 0\n");
    }

    #[test]
    fn what_is_no_formula_is_none() {
        for text in [
            "",
            "1 2 3",
            "1 2\n3 0\n",
            "x 0",
            "p cnf 1 1\np cnf 1 1\n1 0",
            "1 0\n2",
            "0 0\n",
        ] {
            assert!(Cnf::read(text.as_bytes()).is_none(), "{text}");
        }
    }
}
