//! Items: the members of a text with what has to be there for them to be there. A declaration is
//! wanted where its name is used; a specialisation, an overload or an operator also has to wait for
//! the types it is about; everything else comes with what it is a part of.

use std::rc::Rc;

use ablate_engine::target::Target;

use crate::bodies::is_interpreted;
use crate::expressions::Expression;
use crate::inner::{Inner, declares_itself};
use crate::language::Language;
use crate::members::Members;
use crate::names::{Locals, Names};
use crate::overrides::Implementing;
use crate::shapes::{Family, Shape, Shapes, containers};
use crate::tree::{Syntax, SyntaxTree};
use crate::verilog_names;

/// No item.
pub(crate) const NONE: u32 = u32::MAX;
/// Items further out than this are not asked what they wait for.
const AROUND_MAX: usize = 64;

/// What an item waits for besides the item around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trigger {
    /// Nothing.
    Always,
    /// A use of one of its names that is not a name in something else, as `b` is in `a.b`.
    Name,
    /// Any use of one of its names.
    AnyName,
}

/// Lists of numbers, one for each item or name, one after another.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl Lists {
    /// Lists of these pairs of an owner, below `owners`, and a number.
    pub fn of(owners: usize, mut pairs: Vec<(u32, u32)>) -> Lists {
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0_u32; owners + 1];
        for &(owner, _) in &pairs {
            starts[owner as usize + 1] += 1;
        }
        for owner in 0..owners {
            starts[owner + 1] += starts[owner];
        }
        let all = pairs.into_iter().map(|pair| pair.1).collect();
        Lists { starts, all }
    }

    /// The list of an owner.
    pub fn at(&self, owner: u32) -> &[u32] {
        let owner = owner as usize;
        match self.starts.get(owner..owner + 2) {
            Some(&[start, end]) => &self.all[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The lists the other way round.
    pub fn inverted(&self, owners: usize) -> Lists {
        let lists = 0..self.starts.len().saturating_sub(1) as u32;
        let pairs = lists.flat_map(|list| self.at(list).iter().map(move |&number| (number, list)));
        Lists::of(owners, pairs.collect())
    }
}

/// A member of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    /// Its number among the members, or `NONE`: a body that is an expression is none, but goes with what is in it.
    pub member: u32,
    /// Its node.
    pub node: u32,
    /// The item around it, or `NONE`.
    pub parent: u32,
    /// What it waits for.
    pub trigger: Trigger,
    /// The name of the class that it defines a member of, or `NONE`.
    pub class: u32,
    /// Whether it is a declaration on the outermost levels.
    pub is_unit: bool,
    /// Whether it is never there for its own sake.
    pub is_attached: bool,
    /// Whether it only lets others be named, and goes when nobody names them.
    pub is_import: bool,
    /// Whether it may have to be there although nothing names it, since what its class is derived from has
    /// it.
    pub is_implementing: bool,
    /// How many bytes of it belong to no item in it.
    pub own: u32,
}

/// All members of a text as items, in the order of the text.
#[derive(Debug, Default)]
pub(crate) struct Items {
    pub items: Vec<Item>,
    /// The number of different names.
    pub names: usize,
    /// The names that each item uses as such, outside of items in it.
    pub uses: Lists,
    /// The names that each item uses as names in something else.
    pub member_uses: Lists,
    /// The names that each item declares for its surroundings.
    pub declares: Lists,
    /// The names that must be declared for an item to be there.
    pub conditions: Lists,
    /// For each item that only makes others visible those others, one of which must be there.
    pub shown: Lists,
    /// For each occurrence of a name the innermost item that it stands in, or `NONE`.
    pub around: Vec<u32>,
    /// The bodies of functions.
    pub bodies: Vec<Body>,
    /// For each body the nodes of the words that go with it: where nothing but a declaration is left,
    /// they would be warned of.
    pub wanting: Lists,
    /// Whether one of those that only want each other is there for its own sake. (In the headers of
    /// C and C++ there are many such, of which none is.)
    pub has_cyclic_roots: bool,
    /// Whether what is said of something matters, too, before it is called; in data nothing is.
    pub is_checked: bool,
}

/// The body of a function that can be left out or become simple.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    /// The unit it is in.
    pub unit: u32,
    /// The innermost item that the function is a part of, or `NONE`.
    pub owner: u32,
    /// Its first node.
    pub node: u32,
    /// The first node behind it.
    pub next: u32,
    /// Where it starts and ends, without white space.
    pub range: (u32, u32),
    /// What stands in its place then.
    pub hollow: &'static str,
    /// The items in it, and those right before it that go with it.
    pub items: (u32, u32),
    /// The item that can't be there without it, or `NONE`.
    pub whole: u32,
    /// Whether the compiler may have to know what the function gives.
    pub is_evaluated: bool,
}

impl Items {
    /// The items of `target`.
    pub fn of(target: &Target<u8>, syntax: &Syntax) -> Rc<Items> {
        let members = Members::of(target, syntax);
        let names = Names::of(target, syntax);
        let language = syntax.language();
        target.analysis(|target| Items::new(target.elements(), &members, &names, language))
    }

    fn new(text: &[u8], members: &Members, names: &Names, language: &'static Language) -> Items {
        let tree = members.tree();
        let mut items = Items {
            names: names.by_name.len(),
            has_cyclic_roots: !matches!(language.name, "c" | "cpp"),
            is_checked: !is_interpreted(language) && names.collections.is_empty(),
            ..Items::default()
        };
        let expressions = Expression::all(text, tree);
        let owner = items.collect(members, &expressions);
        let is_container = match &names.collections[..] {
            [] => containers(tree),
            collections => {
                let mut is_container = vec![false; tree.nodes().len()];
                for &collection in collections {
                    is_container[collection as usize] = true;
                }
                is_container
            }
        };
        // The names of what has no name itself are those of its parts.
        let is_group: Vec<bool> = (is_container.iter().enumerate())
            .map(|(node, &is_container)| {
                let field = |child: usize| tree.field_name(&tree.nodes()[child]);
                let mut children = tree.children(node);
                is_container && !children.any(|child| field(child) == Some("name"))
            })
            .collect();
        for item in &mut items.items {
            let node = item.node as usize;
            let parent = tree.nodes()[node].parent as usize;
            // The name of a container is a part of it, also where it may be left out, and so are its head and what
            // says who may use it.
            let is_part = tree.field_name(&tree.nodes()[node]) == Some("name")
                || tree.kind(node) == "visibility_modifier"
                || tree.kind(node).ends_with("_header");
            let is_inside = is_container[parent] && !(is_part && parent != 0);
            if !names.units.is_empty() {
                item.is_unit = names.units.binary_search(&item.node).is_ok();
                continue;
            }
            item.is_unit = is_inside && !is_container[node] && !tree.nodes()[node].is_extra;
        }
        let inner: Vec<Option<Inner>> = (items.items.iter())
            .map(|item| {
                let inner = Inner::of(text, tree, names, language, item);
                let inner = inner.filter(|_| !item.is_unit && !is_group[item.node as usize]);
                // What is all that the declaration around it declares goes with that, or stays with it where
                // that can't go.
                let parent = tree.nodes()[item.node as usize].parent as usize;
                let around = items.items.get(item.parent as usize);
                let around = around.filter(|it| it.is_unit).map(|it| it.node as usize);
                let mut around = around.into_iter().chain([parent]);
                let mut is_all = |inner: &Inner| {
                    around.any(|node| {
                        (node != parent || declares_itself(tree, parent))
                            && names.declared_by(tree, node) == inner.declares
                    })
                };
                inner.filter(|inner| !is_all(inner))
            })
            .collect();
        let waits = |inner: &Option<Inner>| {
            (inner.as_ref()).is_some_and(|inner| inner.trigger == Trigger::AnyName)
        };
        if items.is_checked && inner.iter().any(waits) {
            let implementing = Implementing::new(text, tree, names);
            for (item, inner) in items.items.iter_mut().zip(&inner) {
                item.is_implementing = waits(inner) && implementing.has(item.node as usize);
            }
        }
        // Where an assignment declares, parameters may be declared once more in the body.
        let mut is_assigned = vec![false; items.names];
        let assigns = Family::of(language) == Family::Other;
        for &name in inner.iter().flatten().flat_map(|inner| &inner.declares) {
            is_assigned[name as usize] = assigns;
        }
        let is_inner = |node: u32, name: u32| {
            // A declarator is an item of its own in the declaration that declares its name.
            let item_at = |item: &u32| items.items.get(*item as usize).map(|item| item.parent);
            let around = std::iter::successors(Some(owner[node as usize]), item_at);
            let mut around = around
                .take(AROUND_MAX)
                .filter_map(|item| inner.get(item as usize));
            let declares = |inner: &Option<Inner>| {
                let declares = inner.as_ref().map(|inner| &inner.declares);
                declares.is_some_and(|declares| declares.contains(&name))
            };
            is_assigned[name as usize] || around.any(declares)
        };
        let locals = Locals::of(tree, names, &is_container, is_inner);
        let shapes = Shapes {
            text,
            tree,
            names,
            locals: &locals,
            language,
            family: Family::of(language),
            is_cxx: language.name == "cpp",
        };
        let mut shaped: Vec<Shape> = Vec::with_capacity(items.items.len());
        let mut overloads = vec![0_u32; items.names];
        let mut is_type = vec![false; items.names];
        let mut of_unit = vec![false; items.names];
        let mut is_declared = vec![false; items.names];
        for (item, inner) in items.items.iter().zip(inner) {
            let mut shape = shapes.shape(item.node as usize, item.is_unit);
            if let Some(inner) = inner {
                shape.trigger = inner.trigger;
                shape.declares = inner.declares;
            }
            for &name in &shape.declares {
                of_unit[name as usize] |= item.is_unit;
                is_type[name as usize] |= item.is_unit && !shape.is_alias;
                overloads[name as usize] += u32::from(shape.is_overloadable);
                is_declared[name as usize] = true;
            }
            shaped.push(shape);
        }
        let torn = items.join_torn(&shapes, &mut shaped);
        let (mut declares, mut conditions) = (Vec::new(), Vec::new());
        let mut classes = Vec::new();
        for (number, shape) in (0..).zip(shaped) {
            let item = &mut items.items[number as usize];
            let mut declared = shape.declares.iter();
            let is_open = declared.any(|name| names.opened.binary_search(name).is_ok());
            item.trigger = match shape.trigger {
                Trigger::Name if is_open => Trigger::AnyName,
                trigger => trigger,
            };
            item.is_attached = shape.is_attached;
            item.is_import = shape.is_import || names.showing.contains(&item.node);
            let is_one_of_many = || {
                let mut names = shape.declares.iter();
                names.any(|&name| overloads[name as usize] > 1)
            };
            let waits = !shape.is_overloadable || is_one_of_many();
            let is_known = |name: &&u32| of_unit[**name as usize];
            let types = shape.types.iter().filter(|_| waits).filter(is_known);
            let needs = shape
                .needs
                .iter()
                .filter(|&&name| is_declared[name as usize]);
            let plain = shape
                .plain_types
                .iter()
                .filter(|&&name| is_type[name as usize]);
            conditions.extend(types.chain(needs).chain(plain).map(|&name| (number, name)));
            declares.extend(shape.declares.iter().map(|&name| (number, name)));
            if let Some(class) = shape.class.filter(|&class| of_unit[class as usize]) {
                item.class = class;
                classes.push((number, class));
            }
        }
        let count = items.items.len();
        items.declares = Lists::of(count, declares);
        items.conditions = Lists::of(count, conditions);
        items.add_uses(&shapes, &owner, torn);
        items.drop_unnamed_conditions(classes);
        items.add_shown(&shapes);
        items.add_bodies(&shapes, &owner, expressions);
        items
    }

    /// The innermost item that a node is a part of.
    pub fn innermost(&self, tree: &SyntaxTree, node: u32) -> Option<u32> {
        let behind = self.items.partition_point(|item| item.node <= node);
        let mut at = behind.checked_sub(1)?;
        while tree.nodes()[self.items[at].node as usize].next <= node {
            at = self.items[at].parent as usize;
            self.items.get(at)?;
        }
        Some(at as u32)
    }

    /// An item that declares something: this one, or the innermost around it, or `NONE`.
    pub fn declaring(&self, item: u32) -> u32 {
        let mut at = item;
        while at != NONE && self.declares.at(at).is_empty() {
            at = self.items[at as usize].parent;
        }
        at
    }

    /// A declaration that could not be parsed may be torn into two; then each needs the other, and
    /// what both name. Gives the names that they use although they seem to declare them.
    fn join_torn(&self, shapes: &Shapes<'_>, shaped: &mut [Shape]) -> Vec<(u32, u32)> {
        let mut uses = Vec::new();
        if shapes.family != Family::C {
            return uses;
        }
        let mut last: Option<usize> = None;
        for (number, item) in self
            .items
            .iter()
            .enumerate()
            .filter(|(_, item)| item.is_unit)
        {
            let Some(before) = last.replace(number) else {
                continue;
            };
            let nodes = shapes.tree.nodes();
            let node = &nodes[item.node as usize];
            let gap = nodes[self.items[before].node as usize].end..node.start;
            if !shapes.is_torn(node, gap) {
                continue;
            }
            let mut names = std::mem::take(&mut shaped[number].needs);
            names.append(&mut shaped[number].declares);
            if names.is_empty() {
                shaped[number].needs = shaped[before].declares.clone();
                continue;
            }
            shaped[before].declares.extend(&names);
            names.extend(&shaped[before].declares);
            names.sort_unstable();
            names.dedup();
            for part in [before, number] {
                shaped[part].trigger = Trigger::Name;
                uses.extend(names.iter().map(|&name| (part as u32, name)));
                shaped[part].declares.clone_from(&names);
            }
        }
        uses
    }

    /// Finds the items, and for each node the innermost one that it is a part of.
    fn collect(&mut self, members: &Members, expressions: &[Expression]) -> Vec<u32> {
        let tree = members.tree();
        let member_of = members.by_node();
        let mut owner = vec![NONE; tree.nodes().len()];
        let mut of_bodies: Vec<usize> = expressions.iter().flat_map(|it| it.parts(tree)).collect();
        of_bodies.sort_unstable();
        let is_body = |number: usize| of_bodies.binary_search(&number).is_ok();
        for (number, node) in tree.nodes().iter().enumerate() {
            let around = if number == 0 {
                NONE
            } else {
                owner[node.parent as usize]
            };
            owner[number] = around;
            if number == 0 || member_of[number] == NONE && !is_body(number) {
                continue;
            }
            owner[number] = self.items.len() as u32;
            self.items.push(Item {
                member: member_of[number],
                node: number as u32,
                parent: around,
                trigger: Trigger::Always,
                class: NONE,
                is_unit: false,
                is_attached: false,
                is_import: false,
                is_implementing: false,
                own: node.len() as u32,
            });
            if let Some(around) = self.items.get_mut(around as usize) {
                around.own = around.own.saturating_sub(node.len() as u32);
            }
        }
        owner
    }

    /// For each item whether names in it are no uses of what they name.
    fn only_showing(&self, shapes: &Shapes<'_>) -> Vec<bool> {
        let mut only_shows = vec![false; self.items.len()];
        if shapes.language.name != "haskell" {
            return only_shows;
        }
        for (number, item) in self.items.iter().enumerate() {
            let around = only_shows.get(item.parent as usize) == Some(&true);
            only_shows[number] = around || shapes.only_shows(item.node as usize);
        }
        only_shows
    }

    fn add_uses(&mut self, shapes: &Shapes<'_>, owner: &[u32], mut uses: Vec<(u32, u32)>) {
        let mut member_uses = Vec::new();
        // Where a definition is in several pieces, each of them needs the others.
        let is_split = shapes.language.name == "haskell";
        let only_shows = self.only_showing(shapes);
        for (item, only_shows) in self.items.iter_mut().zip(&only_shows) {
            item.is_import |= only_shows;
        }
        for (index, occurrence) in shapes.names.occurrences.iter().enumerate() {
            let item = owner[occurrence.node as usize];
            self.around.push(item);
            if item == NONE
                || only_shows[item as usize]
                || shapes.is_name_of_container(occurrence.node as usize)
                || verilog_names::is_declared(shapes.tree, occurrence.node as usize)
            {
                continue;
            }
            if occurrence.is_member {
                member_uses.push((item, occurrence.name));
            } else if !shapes.locals.is_local(index)
                && (is_split || !self.declares.at(item).contains(&occurrence.name))
            {
                uses.push((item, occurrence.name));
            }
        }
        let using = shapes.names.using.iter();
        let using = using.map(|&(node, name)| (node as usize, name));
        for (node, name) in shapes.implied().into_iter().chain(using) {
            if owner[node] != NONE {
                uses.push((owner[node], name));
            }
        }
        self.uses = Lists::of(self.items.len(), uses);
        self.member_uses = Lists::of(self.items.len(), member_uses);
    }

    /// What nobody names but those that wait for it is only ever made by conversions: who waits for
    /// something else besides does not wait for it. But members wait for their `classes` in any case.
    fn drop_unnamed_conditions(&mut self, classes: Vec<(u32, u32)>) {
        let mut is_named = vec![false; self.names];
        for item in 0..self.items.len() as u32 {
            let around = std::iter::successors(Some(item), |&at| {
                let around = self.items[at as usize].parent;
                (around != NONE).then_some(around)
            });
            let around: Vec<u32> = around.take(AROUND_MAX).collect();
            for name in self.uses.at(item) {
                let is_about = |&at: &u32| {
                    self.conditions.at(at).contains(name) || self.declares.at(at).contains(name)
                };
                is_named[*name as usize] |= !around.iter().any(is_about);
            }
        }
        let mut pairs = classes;
        for item in 0..self.items.len() as u32 {
            let conditions = self.conditions.at(item).iter().copied();
            let named = conditions.clone().filter(|&name| is_named[name as usize]);
            // Where none of them is ever there, it is not needed either.
            let has_named = named.clone().next().is_some();
            pairs.extend(named.map(|name| (item, name)));
            pairs.extend(conditions.filter(|_| !has_named).map(|name| (item, name)));
        }
        self.conditions = Lists::of(self.items.len(), pairs);
    }

    /// Finds what `using a::b` can mean: what declares `b` somewhere in `a`.
    fn add_shown(&mut self, shapes: &Shapes<'_>) {
        let units = || (0..).zip(&self.items).filter(|(_, item)| item.is_unit);
        let pairs = units().flat_map(|(number, _)| {
            let names = self.declares.at(number).iter();
            names.map(move |&name| (name, number))
        });
        let by_name = Lists::of(self.names, pairs.collect());
        let mut shown = Vec::new();
        for (number, item) in units() {
            let Some((scope, name)) = shapes.scope_of_using(item.node as usize) else {
                continue;
            };
            let others = by_name.at(name).iter().filter(|&&other| {
                let node = self.items[other as usize].node as usize;
                other != number && shapes.is_in_container(node, scope)
            });
            shown.extend(others.map(|&other| (number, other)));
        }
        self.shown = Lists::of(self.items.len(), shown);
    }

    fn add_bodies(&mut self, shapes: &Shapes<'_>, owner: &[u32], expressions: Vec<Expression>) {
        let mut wanting = Vec::new();
        for body in shapes.bodies(expressions) {
            let nodes = shapes.tree.nodes();
            let (start, end) = (nodes[body.node].start, nodes[body.last].end);
            let written = shapes.text[start as usize..end as usize].trim_ascii_end();
            if written.len() <= body.hollow.len() {
                continue;
            }
            let next = nodes[body.last].next;
            let item_at = |node: usize| self.items.partition_point(|i| (i.node as usize) < node);
            let from = item_at(body.first);
            let to = item_at(next as usize);
            let mut outermost = body.function;
            let kind = |node: usize| shapes.tree.kind_name(&shapes.tree.nodes()[node]);
            while let around = shapes.tree.nodes()[outermost].parent as usize
                && kind(around) == "template_declaration"
            {
                outermost = around;
            }
            let mut unit = owner[outermost];
            let is_unit = |unit: u32| {
                self.items
                    .get(unit as usize)
                    .is_some_and(|item| item.is_unit)
            };
            let whole = if body.is_whole && is_unit(unit) {
                unit
            } else {
                NONE
            };
            while let Some(item) = self.items.get(unit as usize) {
                if item.is_unit {
                    break;
                }
                unit = item.parent;
            }
            let number = self.bodies.len() as u32;
            wanting.extend(body.wanting.iter().map(|&word| (number, word as u32)));
            self.bodies.push(Body {
                unit,
                owner: owner[body.function],
                node: body.node as u32,
                next,
                range: (start, start + written.len() as u32),
                hollow: body.hollow,
                items: (from as u32, to as u32),
                whole,
                is_evaluated: body.is_evaluated,
            });
        }
        self.wanting = Lists::of(self.bodies.len(), wanting);
    }
}
