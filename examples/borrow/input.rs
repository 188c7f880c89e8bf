//! A small library's lending desk: who has which book, until when, and what it costs to be late.
//!
//! There is a mistake in here that the borrow checker finds. `ablate` shows what it comes down to.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

/// Days since the library opened.
pub type Day = u32;

/// How long a book may be kept.
const LOAN_DAYS: Day = 28;
/// What a day too late costs, in cents.
const FINE_PER_DAY: u64 = 15;
/// Nobody pays more than that for one book.
const FINE_MAX: u64 = 2_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    pub title: String,
    pub author: String,
    pub copies: usize,
}

#[derive(Clone, Debug)]
pub struct Loan {
    pub book: usize,
    pub member: usize,
    pub due: Day,
    pub renewed: u8,
}

#[derive(Clone, Debug, Default)]
pub struct Member {
    pub name: String,
    pub fines: u64,
    pub history: Vec<usize>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    NoSuchBook,
    NoSuchMember,
    NoCopyLeft { waiting: usize },
    TooManyLoans(usize),
    UnpaidFines(u64),
    RenewedTooOften,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoSuchBook => write!(f, "the library has no such book"),
            Refusal::NoSuchMember => write!(f, "nobody of this name is a member"),
            Refusal::NoCopyLeft { waiting } => {
                write!(f, "all copies are lent; {waiting} others wait for one")
            }
            Refusal::TooManyLoans(count) => write!(f, "{count} books are enough for now"),
            Refusal::UnpaidFines(cents) => {
                write!(f, "please pay {}.{:02} first", cents / 100, cents % 100)
            }
            Refusal::RenewedTooOften => write!(f, "this loan was renewed twice already"),
        }
    }
}

impl std::error::Error for Refusal {}

#[derive(Debug, Default)]
pub struct Library {
    books: Vec<Book>,
    members: Vec<Member>,
    loans: Vec<Loan>,
    queues: BTreeMap<usize, VecDeque<usize>>,
    today: Day,
}

impl Library {
    pub fn new() -> Self {
        Library::default()
    }

    pub fn add_book(&mut self, title: &str, author: &str, copies: usize) -> usize {
        let known = self
            .books
            .iter()
            .position(|book| book.title == title && book.author == author);
        if let Some(index) = known {
            self.books[index].copies += copies;
            return index;
        }
        self.books.push(Book {
            title: title.to_owned(),
            author: author.to_owned(),
            copies,
        });
        self.books.len() - 1
    }

    pub fn add_member(&mut self, name: &str) -> usize {
        self.members.push(Member {
            name: name.to_owned(),
            ..Member::default()
        });
        self.members.len() - 1
    }

    fn copies_left(&self, book: usize) -> usize {
        let lent = self.loans.iter().filter(|loan| loan.book == book).count();
        self.books[book].copies.saturating_sub(lent)
    }

    pub fn lend(&mut self, book: usize, member: usize) -> Result<Day, Refusal> {
        if book >= self.books.len() {
            return Err(Refusal::NoSuchBook);
        }
        let person = self.members.get(member).ok_or(Refusal::NoSuchMember)?;
        if person.fines > 0 {
            return Err(Refusal::UnpaidFines(person.fines));
        }
        let has = self.loans.iter().filter(|l| l.member == member).count();
        if has >= 5 {
            return Err(Refusal::TooManyLoans(has));
        }
        if self.copies_left(book) == 0 {
            let queue = self.queues.entry(book).or_default();
            if !queue.contains(&member) {
                queue.push_back(member);
            }
            return Err(Refusal::NoCopyLeft {
                waiting: queue.len() - 1,
            });
        }
        let due = self.today + LOAN_DAYS;
        self.loans.push(Loan {
            book,
            member,
            due,
            renewed: 0,
        });
        Ok(due)
    }

    pub fn renew(&mut self, book: usize, member: usize) -> Result<Day, Refusal> {
        let is_wanted = self.queues.get(&book).is_some_and(|q| !q.is_empty());
        let loan = self
            .loans
            .iter_mut()
            .find(|loan| loan.book == book && loan.member == member)
            .ok_or(Refusal::NoSuchBook)?;
        if loan.renewed >= 2 || is_wanted {
            return Err(Refusal::RenewedTooOften);
        }
        loan.renewed += 1;
        loan.due += LOAN_DAYS / 2;
        Ok(loan.due)
    }

    /// Takes books back that are overdue by more than a loan's time, and charges for them.
    pub fn recall(&mut self) -> Vec<String> {
        let mut letters = Vec::new();
        for loan in &self.loans {
            if loan.due + LOAN_DAYS >= self.today {
                continue;
            }
            let late = u64::from(self.today - loan.due);
            let fine = (late * FINE_PER_DAY).min(FINE_MAX);
            let title = &self.books[loan.book].title;
            letters.push(format!("{title}: {late} days late, {fine} cents"));
            self.charge(loan.member, fine);
        }
        let today = self.today;
        self.loans.retain(|loan| loan.due + LOAN_DAYS >= today);
        letters
    }

    fn charge(&mut self, member: usize, cents: u64) {
        if let Some(member) = self.members.get_mut(member) {
            member.fines += cents;
        }
    }

    pub fn give_back(&mut self, book: usize, member: usize) -> Result<Option<usize>, Refusal> {
        let index = self
            .loans
            .iter()
            .position(|loan| loan.book == book && loan.member == member)
            .ok_or(Refusal::NoSuchBook)?;
        let loan = self.loans.swap_remove(index);
        if let Some(late) = self.today.checked_sub(loan.due) {
            self.charge(member, (u64::from(late) * FINE_PER_DAY).min(FINE_MAX));
        }
        self.members[member].history.push(book);
        let next = self.queues.get_mut(&book).and_then(VecDeque::pop_front);
        Ok(next)
    }

    pub fn pass_days(&mut self, days: Day) {
        self.today += days;
    }

    pub fn report(&self) -> String {
        let mut lines = Vec::new();
        for (index, book) in self.books.iter().enumerate() {
            let left = self.copies_left(index);
            lines.push(format!("{:<30} {:>2} of {:>2}", book.title, left, book.copies));
        }
        let owed: u64 = self.members.iter().map(|member| member.fines).sum();
        lines.push(format!("fines: {}.{:02}", owed / 100, owed % 100));
        lines.join("\n")
    }
}

fn main() {
    let mut library = Library::new();
    let dune = library.add_book("Dune", "Frank Herbert", 1);
    let emma = library.add_book("Emma", "Jane Austen", 2);
    let ada = library.add_member("Ada");
    let bob = library.add_member("Bob");
    for (book, member) in [(dune, ada), (dune, bob), (emma, bob)] {
        match library.lend(book, member) {
            Ok(due) => println!("due on day {due}"),
            Err(refusal) => println!("sorry: {refusal}"),
        }
    }
    library.pass_days(70);
    println!("{}", library.recall().join("\n"));
    println!("{}", library.report());
}
