//! Changes of a module that leave it well-formed: what goes takes with it what can't be without it, and
//! what nobody needs any more; values that are still used are left open.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use ablate_engine::patch::{Edit, Patch};

use super::binary::written;
use super::opcodes::{BRANCH, TYPE_FUNCTION, UNDEF};
use super::{Form, Instruction, Module, Op};

/// No name.
const NONE: u32 = u32::MAX;

/// A change of a module; see the module documentation.
#[derive(Debug)]
pub struct Plan<'a> {
    module: &'a Module,
    text: &'a [u8],
    /// Which instructions go, and those of them whose users were not looked at yet.
    gone: Vec<bool>,
    open: Vec<usize>,
    /// The names whose users were looked at.
    closed: Vec<bool>,
    /// For each name what is used instead, if anything is.
    instead: Vec<u32>,
    /// What each operand names; [`NONE`] where it goes.
    uses: Vec<u32>,
    /// Values that are left open, each with its type.
    undefined: Vec<(u32, u32)>,
    /// For each type the value of it that is left open, if that is known.
    open_values: Vec<u32>,
    /// New types of functions: their names, and what they are made of.
    types: Vec<(u32, Vec<u32>)>,
    /// For each instruction the label that it becomes a branch to, if it does.
    branches: Vec<u32>,
    /// Instructions that stand behind others then: those, and the ones that move, in order.
    moves: BTreeMap<usize, Vec<usize>>,
}

impl<'a> Plan<'a> {
    /// A plan that changes nothing yet.
    pub fn new(module: &'a Module, text: &'a [u8]) -> Plan<'a> {
        Plan {
            module,
            text,
            gone: alloc::vec![false; module.instructions.len()],
            open: Vec::new(),
            closed: alloc::vec![false; module.users.len()],
            instead: alloc::vec![NONE; module.users.len()],
            uses: module.operands.iter().map(|operand| operand.of).collect(),
            undefined: Vec::new(),
            open_values: alloc::vec![NONE; module.users.len()],
            types: Vec::new(),
            branches: alloc::vec![NONE; module.instructions.len()],
            moves: BTreeMap::new(),
        }
    }

    /// An instruction goes.
    pub fn remove(&mut self, number: usize) {
        if !core::mem::replace(&mut self.gone[number], true) {
            self.open.push(number);
        }
    }

    /// Instructions go that follow each other.
    pub fn remove_all(&mut self, range: Range<usize>) {
        range.for_each(|number| self.remove(number));
    }

    /// Whether an instruction goes.
    pub fn is_gone(&self, number: usize) -> bool {
        self.gone[number]
    }

    /// An instruction goes, and another name is used instead of what it defines.
    pub fn replace(&mut self, number: usize, other: u32) {
        if let Some(name) = self.module.instructions[number].result {
            self.instead[name as usize] = other;
        }
        self.remove(number);
    }

    /// An instruction becomes a branch to a label.
    pub fn branch(&mut self, number: usize, label: u32) {
        self.branches[number] = label;
    }

    /// Where an instruction branches to, if that was changed.
    pub fn branched(&self, number: usize) -> Option<u32> {
        Some(self.branches[number]).filter(|&label| label != NONE)
    }

    /// Instructions stand behind another one then, which may go itself.
    pub fn move_behind(&mut self, number: usize, moved: Vec<usize>) {
        self.moves.entry(number).or_default().extend(moved);
    }

    /// A phi comes from another label, wherever it came from one.
    pub fn relink(&mut self, phi: usize, label: u32, other: u32) {
        for place in self
            .module
            .places(&self.module.instructions[phi])
            .skip(1)
            .step_by(2)
        {
            if self.module.operands[place].of == label {
                self.uses[place] = other;
            }
        }
    }

    /// An operand goes, by its place among all.
    pub fn drop_operand(&mut self, place: usize) {
        self.uses[place] = NONE;
    }

    /// A phi does not come from a label any more.
    pub fn unlink(&mut self, phi: usize, label: u32) {
        let places = self.module.places(&self.module.instructions[phi]);
        let mut is_empty = true;
        for parent in places.skip(1).step_by(2) {
            if self.module.operands[parent].of == label {
                self.drop_operand(parent - 1);
                self.drop_operand(parent);
            }
            is_empty &= self.uses[parent] == NONE;
        }
        if is_empty {
            self.remove(phi);
        }
    }

    /// The type of a function is made of these; where there is none yet, it gets a name that is free.
    pub fn retype(&mut self, function: usize, parts: Vec<u32>, free: u32) {
        let module = self.module;
        let Some(place) = module.places(&module.instructions[function]).next() else {
            return;
        };
        let known = module.functions.iter().find_map(|range| {
            let of = module
                .arguments(&module.instructions[range.start])
                .first()?
                .of;
            let of_type = &module.instructions[module.definition(of)?];
            let names = module.operands(of_type).iter().map(|operand| operand.of);
            names.eq(parts.iter().copied()).then_some(of)
        });
        let new = || self.types.iter().find(|(_, known)| *known == parts);
        self.uses[place] = match known.or_else(|| new().map(|(name, _)| *name)) {
            Some(name) => name,
            None => {
                self.types.push((free, parts));
                free
            }
        };
    }

    /// What is used in the end for an operand; `None` where it goes.
    fn used(&self, place: usize) -> Option<u32> {
        let mut last = self.uses[place];
        // Where names stand for each other in a circle, the module is not well-formed, and the test says so.
        for _ in 0..self.instead.len() {
            match self.instead.get(last as usize) {
                Some(&next) if next != NONE => last = next,
                _ => break,
            }
        }
        Some(last).filter(|&last| last != NONE)
    }

    /// Whether what an instruction uses is not looked at any more.
    fn is_over(&self, number: usize) -> bool {
        self.gone[number] || self.branches[number] != NONE
    }

    /// Removes what can't be without what goes, or leaves values open; `None` where neither is possible.
    fn close(&mut self) -> Option<()> {
        let module = self.module;
        while let Some(number) = self.open.pop() {
            let instruction = &module.instructions[number];
            if !instruction.is_known {
                return None;
            }
            let Some(name) = instruction.result else {
                continue;
            };
            if core::mem::replace(&mut self.closed[name as usize], true) {
                continue;
            }
            let is_replaced =
                self.instead[name as usize] != NONE || self.leave_open(instruction, name);
            for &user in module.users(name) {
                if !self.is_over(user as usize) {
                    self.follow(name, user as usize, is_replaced)?;
                }
            }
        }
        Some(())
    }

    /// What becomes of an instruction that uses a name that goes.
    fn follow(&mut self, name: u32, user: usize, is_replaced: bool) -> Option<()> {
        let module = self.module;
        let instruction = &module.instructions[user];
        let is_first = module.operands(instruction).first().map(|first| first.of) == Some(name);
        match instruction.op {
            Op::Annotation | Op::EntryPoint if is_first => self.remove(user),
            Op::Annotation | Op::EntryPoint => {
                for place in instruction.operands.clone() {
                    if module.operands[place].of == name {
                        self.drop_operand(place);
                    }
                }
            }
            _ if !instruction.is_known => return None,
            _ if is_replaced => {}
            Op::Phi if module.is_label(name) => self.unlink(user, name),
            op if op.is_frame() => return None,
            _ => self.remove(user),
        }
        Some(())
    }

    /// Has the value of an instruction left open, if it is used and can be.
    fn leave_open(&mut self, instruction: &Instruction, name: u32) -> bool {
        let module = self.module;
        let Some(of_type) = instruction.of_type else {
            return false;
        };
        let definition = module.definition(of_type);
        let is_value = |number: usize| module.instructions[number].op == Op::ValueType;
        if !definition.is_some_and(is_value)
            || instruction.op == Op::Function
            || module.is_unused(name)
        {
            return false;
        }
        let value = &mut self.open_values[of_type as usize];
        if *value == NONE {
            *value = module.open_value(of_type).unwrap_or(name);
        }
        match *value == name {
            true => self.undefined.push((name, of_type)),
            false => self.instead[name as usize] = *value,
        }
        true
    }

    /// Removes what nobody needs any more because of what goes.
    fn sweep(&mut self) -> Option<()> {
        let module = self.module;
        let mut counts = alloc::vec![0_usize; module.users.len()];
        let mut open: Vec<u32> = Vec::new();
        for (number, instruction) in module.instructions.iter().enumerate() {
            for place in instruction.operands.clone() {
                let of = module.operands[place].of;
                let used = self.used(place).filter(|_| !self.is_over(number));
                if used != Some(of) {
                    open.push(of);
                }
                if let Some(used) = used
                    && counts_as_use(instruction, place, of)
                {
                    counts[used as usize] += 1;
                }
            }
        }
        let parts = self.types.iter().flat_map(|(_, parts)| parts);
        for name in parts.chain(self.undefined.iter().map(|(_, of_type)| of_type)) {
            counts[*name as usize] += 1;
        }
        while let Some(name) = open.pop() {
            if counts[name as usize] > 0 {
                continue;
            }
            if let Some(at) = self.undefined.iter().position(|(known, _)| *known == name) {
                let (_, of_type) = self.undefined.swap_remove(at);
                counts[of_type as usize] -= 1;
                open.push(of_type);
            }
            let Some(number) = module.definition(name) else {
                continue;
            };
            let instruction = &module.instructions[number];
            if self.gone[number] || !instruction.op.is_pure() || !instruction.is_known {
                continue;
            }
            self.gone[number] = true;
            for &user in module.users(name) {
                let is_about = matches!(
                    module.instructions[user as usize].op,
                    Op::Annotation | Op::EntryPoint
                );
                if is_about && !self.gone[user as usize] {
                    self.follow(name, user as usize, true)?;
                }
            }
            for place in instruction.operands.clone() {
                if let Some(used) = self.used(place)
                    && counts_as_use(instruction, place, module.operands[place].of)
                {
                    counts[used as usize] -= 1;
                    open.push(used);
                }
            }
        }
        Some(())
    }

    /// The edits that this comes to; `None` where it is not possible.
    pub fn patch(mut self) -> Option<Patch<u8>> {
        self.close()?;
        self.sweep()?;
        let module = self.module;
        let is_taken = |name: u32| self.undefined.iter().any(|(known, _)| *known == name);
        if self.types.iter().any(|(name, _)| is_taken(*name)) {
            return None;
        }
        let first = module.first_of_functions();
        let mut has_moved = alloc::vec![false; module.instructions.len()];
        let moved = self.moves.values().flatten();
        moved.for_each(|&number| has_moved[number] = true);
        let mut edits = Vec::new();
        for (number, instruction) in module.instructions.iter().enumerate() {
            let (start, mut end) = (instruction.start as usize, instruction.start as usize);
            let mut insert = Vec::new();
            if number == first {
                for (name, parts) in &self.types {
                    self.write(&mut insert, Some(*name), TYPE_FUNCTION, parts);
                }
                for &(name, of_type) in &self.undefined {
                    self.write(&mut insert, Some(name), UNDEF, &[of_type]);
                }
            }
            let followers = self.moves.get(&number).map_or(&[][..], Vec::as_slice);
            if has_moved[number] {
                end = instruction.end as usize;
            } else if !followers.is_empty() || self.is_changed(number) {
                self.write_final(&mut insert, number)?;
                end = instruction.end as usize;
            }
            for &follower in followers {
                self.write_final(&mut insert, follower)?;
            }
            if end > start || !insert.is_empty() {
                edits.push(Edit {
                    start,
                    end,
                    insert: (!insert.is_empty()).then(|| insert.into()),
                });
            }
        }
        Patch::edits_of(edits).ok()
    }

    /// Whether an instruction goes or becomes another one.
    fn is_changed(&self, number: usize) -> bool {
        let mut operands = self.module.instructions[number].operands.clone();
        self.is_over(number)
            || operands.any(|place| self.used(place) != Some(self.module.operands[place].of))
    }

    /// Writes what becomes of an instruction.
    fn write_final(&self, to: &mut Vec<u8>, number: usize) -> Option<()> {
        if self.gone[number] {
            return Some(());
        }
        match self.branched(number) {
            Some(label) => {
                self.write(to, None, BRANCH, &[label]);
                Some(())
            }
            None => self.write_changed(to, &self.module.instructions[number]),
        }
    }

    /// Writes an instruction; its operands are the type, if it has one, and names.
    fn write(&self, to: &mut Vec<u8>, result: Option<u32>, opcode: (u16, &str), names: &[u32]) {
        match &self.module.form {
            Form::Text(places) => {
                let spelling = |name: u32| &self.text[places[name as usize].clone()];
                if let Some(result) = result {
                    to.extend_from_slice(spelling(result));
                    to.extend_from_slice(b" = ");
                }
                to.extend_from_slice(b"Op");
                to.extend_from_slice(opcode.1.as_bytes());
                for &name in names {
                    to.push(b' ');
                    to.extend_from_slice(spelling(name));
                }
                to.push(b'\n');
            }
            Form::Binary { is_little } => {
                let len = 1 + usize::from(result.is_some()) + names.len();
                let first = (len as u32) << 16 | u32::from(opcode.0);
                let mut words: Vec<u32> = alloc::vec![first];
                words.extend_from_slice(names);
                if let Some(result) = result {
                    // Only what has a type has that before its name.
                    let has_type = opcode == UNDEF;
                    words.insert(1 + usize::from(has_type), result);
                }
                for word in words {
                    to.extend(written(word, *is_little));
                }
            }
        }
    }

    /// Writes an instruction with other operands.
    fn write_changed(&self, to: &mut Vec<u8>, instruction: &Instruction) -> Option<()> {
        let module = self.module;
        let begin = to.len();
        let mut at = instruction.start as usize;
        for place in instruction.operands.clone() {
            let operand = module.operands[place];
            to.extend_from_slice(&self.text[at..operand.start as usize]);
            at = operand.end as usize;
            match (self.used(place), &module.form) {
                (None, Form::Binary { .. }) => {}
                (None, Form::Text(_)) => {
                    let blanks = to.iter().rev().take_while(|byte| **byte == b' ').count();
                    to.truncate(to.len() - blanks);
                }
                (Some(used), Form::Text(names)) => {
                    to.extend_from_slice(&self.text[names[used as usize].clone()]);
                }
                (Some(used), Form::Binary { is_little }) => to.extend(written(used, *is_little)),
            }
        }
        to.extend_from_slice(&self.text[at..instruction.end as usize]);
        if let Form::Binary { is_little } = module.form {
            let [low, high] = u16::try_from((to.len() - begin) / 4).ok()?.to_le_bytes();
            let len = match is_little {
                true => [low, high],
                false => [high, low],
            };
            let at = begin + 2 * usize::from(is_little);
            to[at..at + 2].copy_from_slice(&len);
        }
        Some(())
    }
}

/// Whether an operand keeps what it names.
fn counts_as_use(instruction: &Instruction, place: usize, of: u32) -> bool {
    match instruction.op {
        Op::Annotation => false,
        Op::EntryPoint => place == instruction.operands.start,
        // What only uses itself, as a phi can, is not needed.
        _ => Some(of) != instruction.result,
    }
}

impl Module {
    /// The value of a type that is left open for all functions.
    fn open_value(&self, of_type: u32) -> Option<u32> {
        let first = self.first_of_functions();
        let users = self.users(of_type).iter().map(|&user| user as usize);
        let mut users = users.take_while(|&user| user < first);
        let is_open = |&user: &usize| self.instructions[user].op == Op::Undef;
        self.instructions[users.find(is_open)?].result
    }

    /// Whether a name stands for a block.
    fn is_label(&self, name: u32) -> bool {
        let definition = self.definition(name);
        definition.is_some_and(|number| self.instructions[number].op == Op::Label)
    }

    /// The places among all operands of what an instruction uses besides its type.
    pub fn places(&self, instruction: &Instruction) -> Range<usize> {
        let range = instruction.operands.clone();
        range.start + usize::from(instruction.of_type.is_some())..range.end
    }
}
