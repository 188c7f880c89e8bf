//! SQL as its grammar can read it, which is for the dialects of a few databases. Queries may begin with what
//! they read from, and then need not say that they select all of it; what a trigger does may follow it; joins may
//! stand in parentheses; and much else is left out, or stands for what is known. Says nothing of errors.

use std::ops::Range;

use crate::readable::{Readable, Rewriter, blanks, word};

/// What a query that begins with what it reads from selects.
const SELECTION: &[u8] = b"SELECT * ";
/// What a trigger does elsewhere.
const FUNCTION: &[u8] = b"EXECUTE FUNCTION a();";
/// What is done with a row that there is already.
const CONFLICTS: &[&str] = &["REPLACE", "IGNORE", "ABORT", "FAIL", "ROLLBACK"];
/// Words that stand before a value.
const BEFORE_VALUES: &[&str] = &[
    "SELECT", "DISTINCT", "ALL", "WHERE", "AND", "OR", "NOT", "BETWEEN", "CASE", "WHEN", "THEN",
    "ELSE", "LIMIT", "OFFSET", "ON", "HAVING", "BY", "IN", "LIKE", "IS", "SET", "DEFAULT",
    "RETURN", "FROM", "JOIN",
];
/// Words between the kind of a join and `JOIN`.
const OF_JOINS: &[&str] = &["LEFT", "RIGHT", "FULL", "INNER", "OUTER", "CROSS"];
/// Words that begin what a parenthesis behind `FROM` or `JOIN` may hold as well.
const QUERIES: &[&str] = &["SELECT", "WITH", "VALUES", "FROM", "TABLE"];

/// The end of longer parentheses is not looked for: where there is none, each would be read to the end of the
/// text.
const LONGEST_BRACKETS: usize = 4096;

/// The text as the grammar can read it; `None` if there is nothing to change.
pub(crate) fn readable_sql(text: &[u8]) -> Option<Readable> {
    let mut reader = Reader {
        text,
        rewriter: Rewriter::of(text),
        before: Before::Start,
        is_start: true,
        open: Vec::new(),
        is_named: false,
        is_trigger: false,
        has_limit: false,
    };
    let mut at = 0;
    while at < text.len() {
        at = reader.read(at);
    }
    reader.rewriter.finished()
}

/// What stands before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before<'a> {
    Start,
    Word(&'a [u8]),
    Sign(u8),
    /// A number or a string.
    Value,
}

impl Before<'_> {
    fn is(self, words: &[&str]) -> bool {
        matches!(self, Before::Word(word) if is(word, words))
    }

    /// Whether what comes next is a value, and not what is done with one.
    fn wants_value(self) -> bool {
        match self {
            Before::Start => true,
            Before::Word(_) => self.is(BEFORE_VALUES),
            Before::Sign(sign) => sign != b')' && sign != b']',
            Before::Value => false,
        }
    }
}

/// A parenthesis that is open.
#[derive(Clone, Copy)]
struct Open {
    /// Whether a query that begins behind what it holds has a name.
    is_named: bool,
    /// Whether it is left out.
    is_left_out: bool,
}

struct Reader<'a> {
    text: &'a [u8],
    rewriter: Rewriter<'a>,
    before: Before<'a>,
    /// Whether what comes next may begin a query.
    is_start: bool,
    open: Vec<Open>,
    is_named: bool,
    is_trigger: bool,
    has_limit: bool,
}

impl<'a> Reader<'a> {
    /// Reads what stands at `at`, and says where to go on.
    fn read(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        let passed = passed(rest);
        if passed > 0 {
            return at + passed;
        }
        if matches!(rest[0], b'\'' | b'"' | b'`' | b'$') || rest[0].is_ascii_digit() {
            self.before = Before::Value;
            (self.is_start, self.is_named) = (false, false);
            return at + value(rest);
        }
        let len = word(rest);
        if len > 0 {
            return self.read_word(at, at + len);
        }
        match rest[0] {
            b'(' if self.before.is(&["EXPLAIN"]) && brackets(rest) > 0 => {
                let end = at + brackets(rest);
                self.leave_out(at..end);
                (self.before, self.is_start) = (Before::Start, true);
                return end;
            }
            b'(' => {
                let behind = &rest[1 + blanks(&rest[1..])..];
                let is_joined = self.before.is(&["FROM", "JOIN"])
                    && word(behind) > 0
                    && !is(&behind[..word(behind)], QUERIES);
                if is_joined {
                    self.rewriter.leave_out(at..at + 1);
                }
                self.open.push(Open {
                    is_named: self.is_named,
                    is_left_out: is_joined,
                });
                self.is_start = true;
            }
            b')' => {
                let open = self.open.pop();
                if open.is_some_and(|open| open.is_left_out) {
                    self.rewriter.leave_out(at..at + 1);
                }
                self.is_start = open.is_some_and(|open| open.is_named);
            }
            b';' => {
                (self.is_start, self.is_trigger, self.has_limit) = (true, false, false);
                (self.before, self.is_named) = (Before::Start, false);
                return at + 1;
            }
            b',' if self.has_limit && self.open.is_empty() => {
                let end = self.next(at + 1).end;
                self.leave_out(at..end);
                return end;
            }
            b'-' | b'+' | b'~' if self.before.wants_value() => {
                let next = at + 1 + blanks(&rest[1..]);
                let is_number =
                    rest[0] != b'~' && self.text.get(next).is_some_and(u8::is_ascii_digit);
                if !is_number {
                    self.rewriter.leave_out_prefix(at..at + 1);
                }
                return at + 1;
            }
            _ => self.is_start = false,
        }
        self.before = Before::Sign(rest[0]);
        self.is_named = false;
        at + 1
    }

    fn read_word(&mut self, at: usize, end: usize) -> usize {
        let text = self.text;
        let this = &text[at..end];
        let next = self.next(end);
        let next_is = |words: &[&str]| is(&text[next.clone()], words);
        let (before, is_start) = (self.before, self.is_start);
        let is_behind_value = !before.wants_value();
        let upper = this.to_ascii_uppercase();
        // What is left out, or stands for something else.
        let other: Option<(usize, &[u8])> = match upper.as_slice() {
            b"FROM" if is_start => {
                self.rewriter.put_in(at, SELECTION);
                None
            }
            b"BEGIN" if self.is_trigger => {
                self.rewriter.put_in(at, FUNCTION);
                None
            }
            b"VALUES" if is_start && text[next.start..].starts_with(b"(") => Some((end, b"SELECT")),
            b"DEFAULT" if next_is(&["VALUES"]) => Some((next.end, b"SELECT 1")),
            b"COLLATE" | b"ESCAPE" if is_behind_value => Some((next.end, b"")),
            b"NATURAL" if next_is(OF_JOINS) || next_is(&["JOIN"]) => {
                let mut next = next.clone();
                while is(&text[next.clone()], OF_JOINS) {
                    next = self.next(next.end);
                }
                Some((next.start, b"CROSS"))
            }
            b"OR" if before.is(&["INSERT", "UPDATE"]) && next_is(CONFLICTS) => {
                Some((next.end, b""))
            }
            b"ON" if next_is(&["CONFLICT"]) => {
                let then = self.next(next.end);
                let group = brackets(&text[then.start..]);
                if is(&text[then.clone()], CONFLICTS) {
                    Some((then.end, b""))
                } else if group > 0 {
                    self.leave_out(then.start..then.start + group);
                    self.before = Before::Word(this);
                    return then.start + group;
                } else {
                    None
                }
            }
            b"ISNULL" if is_behind_value => Some((end, b"= NULL")),
            b"NOTNULL" if is_behind_value => Some((end, b"<> NULL")),
            b"GLOB" | b"REGEXP" | b"RLIKE" | b"MATCH" if is_behind_value || before.is(&["NOT"]) => {
                Some((end, b"LIKE"))
            }
            b"QUERY" if before.is(&["EXPLAIN"]) && next_is(&["PLAN"]) => Some((next.end, b"")),
            b"AUTOINCREMENT" => Some((end, b"")),
            b"STRICT" | b"STORED" | b"VIRTUAL" if before == Before::Sign(b')') => Some((end, b"")),
            b"FETCH" if before != Before::Start && next_is(&["FIRST", "NEXT"]) => {
                let is_end = |byte: &u8| matches!(byte, b';' | b')');
                let len = text[at..].iter().position(is_end);
                Some((len.map_or(text.len(), |len| at + len), b""))
            }
            b"WITHIN" if next_is(&["GROUP"]) => {
                let group = self.next(next.end).start;
                Some((group + brackets(&text[group..]), b""))
            }
            b"GROUPING" if next_is(&["SETS"]) => Some((next.end, b"CUBE")),
            b"AT" if next_is(&["TIME"]) => {
                let zone = self.next(next.end);
                Some((self.next(zone.end).end, b""))
            }
            b"EXCLUDE" | b"EXCEPT" | b"REPLACE"
                if before == Before::Sign(b'*') && brackets(&text[next.start..]) > 0 =>
            {
                Some((next.start + brackets(&text[next.start..]), b""))
            }
            b"INDEXED" if next_is(&["BY"]) => Some((self.next(next.end).end, b"")),
            _ => None,
        };
        if let Some((end, other)) = other {
            match other {
                b"" => self.leave_out(at..end),
                other => {
                    self.rewriter.add_names(at + this.len()..end);
                    self.rewriter.replace(at, end - at, other);
                }
            }
            if !other.is_empty() {
                (self.is_start, self.before) = (false, Before::Word(other));
            }
            return end;
        }
        self.has_limit |= upper == b"LIMIT";
        self.is_trigger =
            upper == b"TRIGGER" || self.is_trigger && !is(this, &["BEGIN", "EXECUTE"]);
        self.is_named = is(this, &["AS", "MATERIALIZED"]);
        self.is_start = self.is_named || is(this, &["UNION", "EXCEPT", "INTERSECT", "ALL"]);
        self.before = Before::Word(this);
        end
    }

    /// Where the next word, name or value stands; the next sign, if it is none.
    fn next(&self, mut at: usize) -> Range<usize> {
        while let Some(rest) = self.text.get(at..)
            && passed(rest) > 0
        {
            at += passed(rest);
        }
        let rest = &self.text[at.min(self.text.len())..];
        let len = match rest.first() {
            None => 0,
            Some(b'\'' | b'"' | b'`' | b'$') => value(rest),
            Some(_) => word(rest).max(1),
        };
        at..at + len
    }

    /// Leaves out what has no node of its own, but knows the names in it.
    fn leave_out(&mut self, range: Range<usize>) {
        self.rewriter.add_names(range.clone());
        self.rewriter.leave_out(range);
    }
}

fn is(this: &[u8], words: &[&str]) -> bool {
    let mut words = words.iter();
    words.any(|word| this.eq_ignore_ascii_case(word.as_bytes()))
}

/// The length of blanks or a comment that a text begins with.
fn passed(text: &[u8]) -> usize {
    match text {
        [b'-', b'-', ..] => text.iter().take_while(|byte| **byte != b'\n').count(),
        [b'/', b'*', ..] => {
            let end = text[2..].windows(2).position(|part| part == b"*/");
            end.map_or(text.len(), |end| end + 4)
        }
        _ => blanks(text),
    }
}

/// The length of the number, string or quoted name that a text begins with.
fn value(text: &[u8]) -> usize {
    if text[0].is_ascii_digit() {
        let is_number = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
        return text.iter().take_while(is_number).count();
    }
    if text[0] == b'$' {
        let is_tag = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let tag = 1 + text[1..].iter().take_while(is_tag).count();
        if text.get(tag) != Some(&b'$') || tag > 1 && text[1].is_ascii_digit() {
            return tag;
        }
        let quote = &text[..=tag];
        let end = text[quote.len()..].windows(quote.len());
        let end = end.into_iter().position(|part| part == quote);
        return end.map_or(text.len(), |end| end + 2 * quote.len());
    }
    let end = text.iter().skip(1).position(|byte| *byte == text[0]);
    end.map_or(text.len(), |end| end + 2)
}

/// The length of the parentheses that a text begins with, and of what is in them; 0 if there are none.
fn brackets(text: &[u8]) -> usize {
    if !text.starts_with(b"(") {
        return 0;
    }
    let text = &text[..text.len().min(LONGEST_BRACKETS)];
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        let passed = passed(&text[at..]);
        match text[at] {
            _ if passed > 0 => {
                at += passed;
                continue;
            }
            b'\'' | b'"' | b'`' => {
                at += value(&text[at..]);
                continue;
            }
            b'(' => depth += 1,
            b')' => depth -= 1,
            b';' => return 0,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at.min(text.len());
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use crate::readable::tests::check_in;

    fn check(text: &str, expected: &str) {
        check_in("sql", text, expected);
    }

    #[test]
    fn a_query_that_begins_with_what_it_reads_from_selects_all() {
        check("from a;FROM b", "SELECT * from a;SELECT * FROM b");
        check(
            "WITH a AS (FROM b) FROM a WHERE 0 IN (FROM c)",
            "WITH a AS (SELECT * FROM b) SELECT * FROM a WHERE 0 IN (SELECT * FROM c)",
        );
        check(
            "CREATE VIEW a AS FROM b UNION ALL FROM c",
            "CREATE VIEW a AS SELECT * FROM b UNION ALL SELECT * FROM c",
        );
        check(
            "CREATE TRIGGER a AFTER DELETE ON b BEGIN SELECT 1; END; BEGIN;",
            "CREATE TRIGGER a AFTER DELETE ON b EXECUTE FUNCTION a();BEGIN SELECT 1; END; BEGIN;",
        );
        for text in ["DELETE FROM a", "SELECT (a) FROM b", "SELECT f(a FROM 2)"] {
            check(text, text);
        }
    }

    #[test]
    fn what_is_done_with_values_stands_for_what_is_known() {
        check(
            "SELECT a COLLATE \"C\", b ISNULL, c NOTNULL FROM d",
            "SELECT a            , b = NULL, c <> NULL FROM d",
        );
        check(
            "SELECT a GLOB b, c NOT REGEXP 'd' ESCAPE 'e', match(f)",
            "SELECT a LIKE b, c NOT LIKE   'd'           , match(f)",
        );
        check(
            "SELECT -a, ~b + -1, c - d, (-e) FROM f WHERE -g = h - -i",
            "SELECT  a,  b + -1, c - d, ( e) FROM f WHERE  g = h -  i",
        );
        check(
            "SELECT a AT TIME ZONE 'b', f() WITHIN GROUP (ORDER BY c)",
            "SELECT a                 , f()                          ",
        );
    }

    #[test]
    fn joins_may_stand_in_parentheses() {
        check(
            "SELECT * FROM (a JOIN b ON (c)) LEFT JOIN (SELECT 1) d",
            "SELECT * FROM  a JOIN b ON (c)  LEFT JOIN (SELECT 1) d",
        );
        check(
            "FROM a NATURAL LEFT OUTER JOIN b",
            "SELECT * FROM a CROSS              JOIN b",
        );
        check(
            "SELECT a FROM b INDEXED BY c",
            "SELECT a FROM b             ",
        );
    }

    #[test]
    fn what_a_dialect_adds_is_left_out() {
        check(
            "INSERT OR IGNORE INTO a VALUES (1) ON CONFLICT (b) DO NOTHING;VALUES (2)",
            "INSERT           INTO a VALUES (1) ON CONFLICT     DO NOTHING;SELECT (2)",
        );
        check(
            "CREATE TABLE a (b INT PRIMARY KEY ON CONFLICT FAIL AUTOINCREMENT) STRICT",
            "CREATE TABLE a (b INT PRIMARY KEY                               )       ",
        );
        check(
            "INSERT INTO a DEFAULT VALUES",
            "INSERT INTO a SELECT 1      ",
        );
        check(
            "EXPLAIN QUERY PLAN SELECT * EXCLUDE (a) FROM b GROUP BY GROUPING SETS (c)",
            "EXPLAIN            SELECT *             FROM b GROUP BY CUBE          (c)",
        );
        check(
            "explain (costs off) (select a limit 1, 2) limit 3, 4; select b, c",
            "explain             (select a limit 1, 2) limit 3   ; select b, c",
        );
        check(
            "SELECT a FETCH FIRST 1 ROWS ONLY;",
            "SELECT a                        ;",
        );
    }

    #[test]
    fn strings_and_comments_stay_as_they_are() {
        for text in [
            "SELECT 'a ISNULL', \"b ISNULL\", $$ c ISNULL $$, $d$ e ISNULL $d$ -- ISNULL",
            "/* a ISNULL */",
            "SELECT collate, isnull FROM a",
            "'",
            "(",
            ")",
            "$",
            "$1",
            "/*",
            "ON CONFLICT",
            "FETCH NEXT FROM a;",
        ] {
            check(text, text);
        }
    }
}
