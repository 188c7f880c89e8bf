//! Yosys's intermediate language as text (RTLIL): modules of wires, and of cells, processes and connections
//! between these. ("RTLIL Text Representation", Yosys manual.)

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::Range;

use ablate_engine::patch::{Edit, Patch};
use ablate_engine::target::Target;

use crate::formats::lines::Lines;

/// Longer texts are not looked at.
const LONGEST: usize = 1 << 26;

/// The ports of Yosys's own cells from which something comes.
const OUTPUTS: [&[u8]; 6] = [b"\\CO", b"\\CTRL_OUT", b"\\Q", b"\\RD_DATA", b"\\X", b"\\Y"];

/// What a part does with a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Uses,
    Drives,
    /// One of them, or both.
    Unknown,
}

/// What of a module's outside a wire is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Port {
    Input,
    Output,
    Both,
}

#[derive(Debug)]
struct Wire {
    module: usize,
    /// Its line, with its attributes.
    range: Range<usize>,
    port: Option<Port>,
    /// What says so, or the place behind the keyword where it would stand.
    place: Range<usize>,
    /// How many parts drive it and use it; those that may do either are counted in both.
    drivers: u32,
    uses: u32,
}

/// A cell, a process or a connection.
#[derive(Debug)]
struct Part {
    module: usize,
    /// Its lines, with its attributes.
    range: Range<usize>,
    /// The module that a cell is an instance of.
    instance_of: Option<usize>,
    /// The wires that it names.
    wires: Vec<(usize, Role)>,
}

#[derive(Debug)]
struct Module {
    range: Range<usize>,
    /// Whether there are instances of it.
    has_instances: bool,
}

/// The modules of a text; none if it is something else.
#[derive(Debug, Default)]
pub struct Rtlil {
    modules: Vec<Module>,
    wires: Vec<Wire>,
    parts: Vec<Part>,
}

impl Rtlil {
    /// Those of `target`.
    pub fn of(target: &Target<u8>) -> Rc<Rtlil> {
        target.analysis(|target| Rtlil::read(target).unwrap_or_default())
    }

    /// Whether there is no module.
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    /// The lengths of all modules, and of all cells, processes and connections, in order.
    pub fn sizes(&self) -> [Vec<u32>; 2] {
        let len = |range: &Range<usize>| range.len() as u32;
        [
            self.modules
                .iter()
                .map(|module| len(&module.range))
                .collect(),
            self.parts.iter().map(|part| len(&part.range)).collect(),
        ]
    }

    /// The edits without some modules, and all instances of them.
    pub fn without_modules(&self, gone: Range<usize>) -> Option<Patch<u8>> {
        let parts = self.parts.iter().enumerate();
        let instances = parts.filter(|(_, part)| {
            !gone.contains(&part.module)
                && part
                    .instance_of
                    .is_some_and(|module| gone.contains(&module))
        });
        let instances: Vec<usize> = instances.map(|(number, _)| number).collect();
        let modules = self.modules[gone.clone()].iter();
        let edits = modules.map(|module| cut(&module.range)).collect();
        self.without(instances.into_iter(), edits)
    }

    /// The edits without some cells, processes and connections.
    pub fn without_parts(&self, gone: Range<usize>) -> Option<Patch<u8>> {
        self.without(gone, Vec::new())
    }

    /// What they drove comes from outside then, what they used goes there, if nothing else does; wires that
    /// nothing is left of go too.
    fn without(
        &self,
        gone: impl Iterator<Item = usize>,
        mut edits: Vec<Edit<u8>>,
    ) -> Option<Patch<u8>> {
        // How many drivers and uses go of each wire that is concerned.
        let mut less: BTreeMap<usize, (u32, u32)> = BTreeMap::new();
        for part in gone.map(|number| &self.parts[number]) {
            edits.push(cut(&part.range));
            for &(wire, role) in &part.wires {
                let (drivers, uses) = less.entry(wire).or_default();
                *drivers += u32::from(role != Role::Uses);
                *uses += u32::from(role != Role::Drives);
            }
        }
        for (number, (drivers, uses)) in less {
            let wire = &self.wires[number];
            let (drivers, uses) = (wire.drivers - drivers, wire.uses - uses);
            let is_fixed = wire.port.is_some() && self.modules[wire.module].has_instances;
            let becomes = match (wire.port, drivers > 0, uses > 0) {
                _ if is_fixed => continue,
                (_, false, false) => {
                    edits.push(cut(&wire.range));
                    continue;
                }
                (None, false, true) => &b" input 1"[..],
                (Some(Port::Output), false, true) => b"input 1",
                (None, true, false) => b" output 1",
                _ => continue,
            };
            edits.push(Edit {
                start: wire.place.start,
                end: wire.place.end,
                insert: Some(becomes.into()),
            });
        }
        edits.sort_by_key(|edit| edit.start);
        Patch::edits_of(edits).ok()
    }

    fn read(target: &Target<u8>) -> Option<Rtlil> {
        let text = target.elements();
        if text.len() > LONGEST || !begins_with_module(text) {
            return None;
        }
        let lines = &Lines::of(target);
        let mut found = Rtlil::default();
        let mut names: Vec<BTreeMap<&[u8], usize>> = Vec::new();
        let mut modules: BTreeMap<&[u8], usize> = BTreeMap::new();
        // The lines of cells, processes and connections, which are read once all wires are known.
        let mut parts: Vec<(usize, Range<usize>)> = Vec::new();
        let (mut line, mut first) = (0, 0);
        let mut begin = None;
        while line < lines.len() {
            let here = lines.range(line);
            let mut words = words(text, here);
            line += 1;
            // Attributes belong to what comes next.
            let start = lines.start(first);
            let Some(word) = words.next() else { continue };
            match (&text[word.clone()], begin) {
                (b"attribute", _) => continue,
                (b"module", None) => {
                    modules.insert(&text[words.next()?], names.len());
                    names.push(BTreeMap::new());
                    begin = Some(start);
                }
                (b"end", Some(start)) => {
                    found.modules.push(Module {
                        range: start..here.1,
                        has_instances: false,
                    });
                    begin = None;
                }
                (b"wire", Some(_)) => {
                    let (wire, name) = read_wire(text, word.end, words, names.len() - 1)?;
                    names.last_mut()?.insert(&text[name], found.wires.len());
                    found.wires.push(Wire {
                        range: start..here.1,
                        ..wire
                    });
                }
                (b"connect", Some(_)) => parts.push((names.len() - 1, first..line)),
                (b"cell" | b"process", Some(_)) => {
                    let mut depth = 1;
                    while depth > 0 && line < lines.len() {
                        let inner = self::words(text, lines.range(line)).next();
                        match inner.map(|word| &text[word]) {
                            Some(b"end") => depth -= 1,
                            Some(b"switch") => depth += 1,
                            _ => {}
                        }
                        line += 1;
                    }
                    parts.push((names.len() - 1, first..line));
                }
                (b"autoidx" | b"memory" | b"parameter", _) => {}
                _ => return None,
            }
            first = line;
        }
        // A module that does not end is none.
        if begin.is_some() {
            return None;
        }
        for (module, lines_of_it) in parts {
            let part = found.read_part(text, lines, &names, &modules, module, lines_of_it);
            for &(wire, role) in &part.wires {
                found.wires[wire].drivers += u32::from(role != Role::Uses);
                found.wires[wire].uses += u32::from(role != Role::Drives);
            }
            if let Some(module) = part.instance_of {
                found.modules[module].has_instances = true;
            }
            found.parts.push(part);
        }
        Some(found)
    }

    /// A cell, a process or a connection in a module, with these lines; modules and, in each, wires are known by
    /// their names.
    fn read_part(
        &self,
        text: &[u8],
        lines: &Lines,
        names: &[BTreeMap<&[u8], usize>],
        modules: &BTreeMap<&[u8], usize>,
        module: usize,
        lines_of_it: Range<usize>,
    ) -> Part {
        let mut part = Part {
            module,
            range: lines.start(lines_of_it.start)..lines.start(lines_of_it.end),
            instance_of: None,
            wires: Vec::new(),
        };
        let mut of_type: &[u8] = b"";
        for line in lines_of_it {
            let words: Vec<Range<usize>> = words(text, lines.range(line)).collect();
            let Some((keyword, rest)) = words.split_first() else {
                continue;
            };
            let mut add = |words: &[Range<usize>], role: Role| {
                let named = words
                    .iter()
                    .filter_map(|word| names[module].get(&text[word.clone()]));
                part.wires.extend(named.map(|wire| (*wire, role)));
            };
            match (&text[keyword.clone()], rest) {
                (b"cell", [name, ..]) => {
                    of_type = &text[name.clone()];
                    part.instance_of = modules.get(of_type).copied();
                }
                (b"connect", [port, signal @ ..]) if !of_type.is_empty() => {
                    let port = &text[port.clone()];
                    let role = match part.instance_of {
                        Some(module) => {
                            let wire = names[module].get(port);
                            match wire.and_then(|wire| self.wires[*wire].port) {
                                Some(Port::Input) => Role::Uses,
                                Some(Port::Output) => Role::Drives,
                                _ => Role::Unknown,
                            }
                        }
                        None => role_of(of_type, port),
                    };
                    add(signal, role);
                }
                (b"connect" | b"assign" | b"update", _) => {
                    let (driven, used) = rest.split_at(signal_len(text, rest));
                    add(driven, Role::Drives);
                    add(used, Role::Uses);
                }
                (b"switch" | b"case" | b"sync" | b"memwr", _) => add(rest, Role::Uses),
                _ => {}
            }
        }
        // A wire can be named many times.
        (part.wires).sort_unstable_by_key(|(wire, role)| (*wire, *role as u8));
        part.wires.dedup();
        part
    }
}

/// What a port of one of Yosys's own cells does with a wire; of others that is not known.
fn role_of(of_type: &[u8], port: &[u8]) -> Role {
    if !of_type.starts_with(b"$") {
        return Role::Unknown;
    }
    match port {
        b"\\DATA" if of_type.starts_with(b"$memrd") => Role::Drives,
        _ if OUTPUTS.contains(&port) => Role::Drives,
        _ => Role::Uses,
    }
}

/// Whether a text begins as one with modules does.
pub fn begins_with_module(text: &[u8]) -> bool {
    let mut lines = text.split(|byte| *byte == b'\n');
    let first = lines.find_map(|line| {
        let mut words = words(line, (0, line.len())).map(|word| &line[word]);
        Some((words.next()?, words.next()?))
    });
    first.is_some_and(|(keyword, next)| match keyword {
        b"autoidx" => true,
        b"attribute" | b"module" => matches!(next.first(), Some(b'\\' | b'$')),
        _ => false,
    })
}

/// A wire whose line goes on with these words behind the keyword, which ends at a place; and where its name
/// stands.
fn read_wire(
    text: &[u8],
    keyword: usize,
    words: impl Iterator<Item = Range<usize>>,
    module: usize,
) -> Option<(Wire, Range<usize>)> {
    let mut wire = Wire {
        module,
        range: 0..0,
        port: None,
        place: keyword..keyword,
        drivers: 0,
        uses: 0,
    };
    let mut direction = None;
    for word in words {
        let said = &text[word.clone()];
        if said.starts_with(b"\\") || said.starts_with(b"$") {
            return Some((wire, word));
        }
        match said {
            b"input" => wire.port = Some(Port::Input),
            b"output" => wire.port = Some(Port::Output),
            b"inout" => wire.port = Some(Port::Both),
            // Its number.
            _ => {
                if let Some(start) = direction.take() {
                    wire.place = start..word.end;
                }
                continue;
            }
        }
        direction = Some(word.start);
    }
    None
}

/// How many of these words the first signal is: a constant, a wire with what is taken of it, or several in
/// braces.
fn signal_len(text: &[u8], words: &[Range<usize>]) -> usize {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate() {
        match &text[word.clone()] {
            b"{" => depth += 1,
            b"}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let next = words.get(at + 1).map(|next| text[next.start]);
        if depth == 0 && next != Some(b'[') {
            return at + 1;
        }
    }
    words.len()
}

/// The words of a line, without comments: names, keywords, constants, strings, and what is in brackets. They need
/// no blanks between them, but behind names.
fn words(text: &[u8], (start, end): (usize, usize)) -> impl Iterator<Item = Range<usize>> {
    let mut at = start;
    core::iter::from_fn(move || {
        at += text[at..end]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let (first, rest) = text[at..end].split_first()?;
        let len_of =
            |is_part: &dyn Fn(&u8) -> bool| rest.iter().take_while(|byte| is_part(byte)).count();
        let len = match first {
            b'#' => return None,
            b'\\' | b'$' => len_of(&|byte| !byte.is_ascii_whitespace()),
            b'[' => (len_of(&|byte| *byte != b']') + 1).min(rest.len()),
            b'"' => string_len(rest),
            b'0'..=b'9' | b'-' => len_of(&|byte| b"0123456789'xzm-".contains(byte)),
            _ if first.is_ascii_alphabetic() => len_of(&|byte| byte.is_ascii_alphabetic()),
            _ => 0,
        };
        let begin = at;
        at += 1 + len;
        Some(begin..at)
    })
}

/// How far a string goes, from behind the quote that opens it.
fn string_len(text: &[u8]) -> usize {
    let mut is_escaped = false;
    let inside = text.iter().take_while(|byte| {
        let ends = **byte == b'"' && !is_escaped;
        is_escaped = **byte == b'\\' && !is_escaped;
        !ends
    });
    (inside.count() + 1).min(text.len())
}

fn cut(range: &Range<usize>) -> Edit<u8> {
    Edit {
        start: range.start,
        end: range.end,
        insert: None,
    }
}
