//! What grammars say too little of: parts that nodes can't do without, and lists within each other.

use crate::node_types::KindSet;

/// What grammars take for optional and languages don't: language, kind of node, field.
pub(crate) const REQUIRED: &[(&str, &str, &str)] = &[
    ("c-sharp", "class_declaration", "body"),
    ("c-sharp", "constructor_declaration", "body"),
    ("c-sharp", "enum_declaration", "body"),
    ("c-sharp", "interface_declaration", "body"),
    ("c-sharp", "local_function_statement", "body"),
    ("c-sharp", "method_declaration", "body"),
    ("c-sharp", "operator_declaration", "body"),
    ("c-sharp", "parameter", "type"),
    ("c-sharp", "struct_declaration", "body"),
    ("c-sharp", "variable_declarator", "name"),
    ("java", "method_declaration", "body"),
    ("php", "method_declaration", "body"),
];

/// What grammars without fields only say to be among the parts of a node, and nodes can't do without: language,
/// kinds of nodes, kinds of parts.
const REQUIRED_PARTS: &[(&str, &[&str], &[&str])] = &[
    (
        "graphql",
        &["field_definition", "input_value_definition"],
        &["name", "type"],
    ),
    (
        "graphql",
        &[
            "directive_definition",
            "enum_type_definition",
            "enum_type_extension",
            "input_object_type_definition",
            "input_object_type_extension",
            "interface_type_definition",
            "interface_type_extension",
            "object_type_definition",
            "object_type_extension",
            "scalar_type_definition",
            "scalar_type_extension",
            "union_type_definition",
            "union_type_extension",
        ],
        &["name"],
    ),
    (
        "graphql",
        &["directive_definition"],
        &["directive_locations"],
    ),
    ("graphql", &["enum_value_definition"], &["enum_value"]),
    (
        "graphql",
        &["root_operation_type_definition"],
        &["operation_type", "named_type"],
    ),
    ("graphql", &["variable_definition"], &["variable", "type"]),
    ("graphql", &["argument", "object_field"], &["name", "value"]),
    ("graphql", &["directive", "field"], &["name"]),
    ("graphql", &["fragment_spread"], &["fragment_name"]),
    (
        "graphql",
        &["fragment_definition"],
        &["fragment_name", "type_condition"],
    ),
    (
        "graphql",
        &[
            "fragment_definition",
            "inline_fragment",
            "operation_definition",
        ],
        &["selection_set"],
    ),
    (
        "proto",
        &["field", "map_field", "oneof_field"],
        &["type", "identifier", "field_number"],
    ),
    ("proto", &["map_field"], &["key_type"]),
    ("proto", &["enum"], &["enum_name", "enum_body"]),
    ("proto", &["enum_field"], &["identifier", "int_lit"]),
    ("proto", &["message"], &["message_name", "message_body"]),
    (
        "proto",
        &["group"],
        &["message_name", "field_number", "message_body"],
    ),
    ("proto", &["extend"], &["full_ident", "message_body"]),
    ("proto", &["oneof"], &["identifier"]),
    ("proto", &["service"], &["service_name"]),
    ("proto", &["rpc"], &["rpc_name", "message_or_enum_type"]),
    (
        "proto",
        &["option", "enum_value_option", "field_option"],
        &["constant"],
    ),
    ("proto", &["extensions"], &["ranges"]),
];

/// Lists of which each is the first part of a longer one, in some grammars: language, kinds of nodes.
const NESTED_LISTS: &[(&str, &[&str])] = &[(
    "graphql",
    &[
        "directive_locations",
        "implements_interfaces",
        "union_member_types",
    ],
)];

/// The kinds of nodes of a language that can't do without a part that stands in no field, each with the kind of
/// the part.
pub(crate) fn required_parts(language: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_language = REQUIRED_PARTS.iter().filter(move |it| it.0 == language);
    of_language.flat_map(|(_, kinds, parts)| {
        kinds
            .iter()
            .flat_map(|kind| parts.iter().map(|part| (*kind, *part)))
    })
}

/// The kinds of lists, of those whose names are given by number, that begin with a shorter list of the same kind.
pub(crate) fn nested_lists(language: &str, names: &[Box<str>]) -> KindSet {
    let of_language = NESTED_LISTS.iter().filter(|it| it.0 == language);
    let is_nested = |name: &str| of_language.clone().any(|it| it.1.contains(&name));
    let mut kinds = KindSet::default();
    let nested = (0..).zip(names).filter(|(_, name)| is_nested(name));
    nested.for_each(|(kind, _)| kinds.insert(kind));
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LANGUAGES;
    use crate::languages::find;
    use crate::node_types::NodeTypes;

    #[test]
    fn what_is_required_is_in_the_grammars() {
        for (language, kind, field) in REQUIRED {
            let Some(facts) = find(language).map(|it| it.facts()) else {
                continue;
            };
            let kind_id = facts.grammar.id_for_node_kind(kind, true);
            let field_id = facts.grammar.field_id_for_name(field).unwrap().get();
            let slot = facts.types.slot_of_part(kind_id, field_id, 0);
            assert!(
                slot.is_some_and(|it| facts.types.slot(it).is_required),
                "{kind}"
            );
        }
    }

    #[test]
    fn parts_that_are_required_are_in_the_grammars() {
        for language in LANGUAGES {
            let grammar = &language.facts().grammar;
            let types = NodeTypes::new(grammar, language.node_types);
            for (kind, part) in required_parts(language.name) {
                let [kind_id, part_id] = [kind, part].map(|it| grammar.id_for_node_kind(it, true));
                let slot = types.slot_of_part(kind_id, 0, part_id);
                let slot = slot.map(|slot| types.slot(slot));
                let is_there = slot.is_some_and(|it| it.is_list && it.kinds.has(part_id));
                assert!(is_there, "{kind} {part}");
            }
        }
    }
}
