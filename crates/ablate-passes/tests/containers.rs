//! What every binary format has to keep: of a file whose fields are true, every edit of every pass
//! on containers makes one whose fields are true; and whatever a file says, taking it apart and
//! cutting it ends, without a panic.

use ablate_engine::explain::patches;
use ablate_engine::pass::Pass;
use ablate_engine::patch::Patch;
use ablate_engine::target::Target;
use ablate_passes::formats::containers::FORMATS;
use ablate_passes::passes::{
    DeleteLargeParts, DeletePackedBytes, DeletePartBytes, DeleteParts, InContainer, LiftParts,
    StubParts,
};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const PASSES: &[&dyn Pass<u8>] = &[
    &InContainer(DeleteLargeParts),
    &InContainer(StubParts),
    &InContainer(DeleteParts),
    &InContainer(DeletePartBytes),
    &InContainer(DeletePackedBytes),
    &InContainer(LiftParts),
];

/// A small module with something in every section.
const MODULE: &[u8] = b"\0asm\x01\0\0\0\
    \x01\x08\x02\x60\0\0\x60\x01\x7f\0\
    \x02\x07\x01\x01e\x01f\0\x01\
    \x03\x03\x02\0\0\
    \x04\x04\x01\x70\0\x01\
    \x05\x03\x01\0\x01\
    \x06\x06\x01\x7f\0\x41\x07\x0b\
    \x07\x09\x02\x01f\0\x01\x01g\0\x02\
    \x08\x01\x02\
    \x09\x08\x01\0\x41\0\x0b\x02\x01\x02\
    \x0a\x1c\x02\
    \x11\x01\x01\x7f\x02\x40\x23\0\x10\0\x20\0\x0d\0\x0b\x10\x02\x0b\
    \x08\0\x41\x01\x1a\x41\x02\x1a\x0b\
    \x0b\x08\x01\0\x41\0\x0b\x02hi\
    \0\x05\x01nabc";

/// A small file of each format. But for the PDF, the messages, the image of two by two pixels and
/// that in strips, which were written by hand, they come from Python's library, SQLite, javac, gcc, clang, binutils,
/// fastavro, gguf, pyarrow and safetensors.
const FILES: &[(&str, &[u8])] = &[
    ("wasm", MODULE),
    ("png", include_bytes!("samples/small.png")),
    ("gif", include_bytes!("samples/small.gif")),
    ("riff", include_bytes!("samples/small.wav")),
    ("zip", include_bytes!("samples/small.zip")),
    ("gzip", include_bytes!("samples/small.gz")),
    ("elf", include_bytes!("samples/small.elf")),
    ("elf", include_bytes!("samples/groups.elf")),
    ("mach-o", include_bytes!("samples/small.macho")),
    ("mach-o", include_bytes!("samples/small_32.macho")),
    ("coff", include_bytes!("samples/small.coff")),
    ("pdf", include_bytes!("samples/small.pdf")),
    ("sqlite", include_bytes!("samples/small.sqlite")),
    ("tiff", include_bytes!("samples/small.tif")),
    ("class", include_bytes!("samples/small.class")),
    ("avro", include_bytes!("samples/small.avro")),
    ("gguf", include_bytes!("samples/small.gguf")),
    ("parquet", include_bytes!("samples/small.parquet")),
    ("pickle", include_bytes!("samples/small_2.pickle")),
    ("pickle", include_bytes!("samples/small_4.pickle")),
    ("pyc", include_bytes!("samples/small.pyc")),
    ("safetensors", include_bytes!("samples/small.safetensors")),
    ("tar", include_bytes!("samples/small.tar")),
    ("ar", include_bytes!("samples/small.ar")),
    (
        "msgpack",
        b"\x82\xa1a\x93\x01\xcd\x01\x02\xc4\x02hi\xd9\x01b\xde\0\x01\x02\x91\xc0",
    ),
    ("utf-16", b"\xff\xfea\0\n\0b\0\r\0\n\0c\0d\0"),
    (
        "pem",
        b"1\n-----BEGIN A-----\nMAYCAQEC\nAQI=\n-----END A-----\n2\n-----BEGIN A-----\nMAA=\n-----END A-----\n",
    ),
    (
        "cbor",
        b"\xa2\x61a\x83\x01\x19\x01\x02\x42hi\x61b\xbf\x02\x9f\xc1\xf6\xff\xff",
    ),
    ("protobuf", include_bytes!("samples/small.pb")),
    (
        "directories",
        b"F\0\x03a\0\0\0\0\0\0\x27\0\0\0\x14o\0\0\0\0\0\0\x3b\0\0\0\x10d\0\0\0\0\0\0\x4b\0\0\0\x09\
          twenty letters in it\0\0\0\0\0\0\0\x03\0\0\0\x05\0\0\0\x09abcdefghi",
    ),
    (
        "chains",
        b"HEAD\x01ab\0\x0bhello worldcd\0\x03yesef\0\x02no",
    ),
    (
        "lengths",
        b"Content-Length: 20\r\n\r\n{\"len\": \"4:spam\"   }",
    ),
];

fn lies(format: &str, file: &[u8]) -> Option<usize> {
    let (_, parse) = FORMATS.iter().find(|(name, _)| *name == format)?;
    parse(file).map(|container| container.lies())
}

#[test]
fn what_is_left_is_as_true_as_what_was_there() {
    for (format, file) in FILES {
        assert_eq!(lies(format, file), Some(0), "{format}");
        let target = Target::new(file.to_vec());
        for pass in PASSES {
            for patch in patches(*pass, &target) {
                let left = patch.applied(file);
                assert_eq!(
                    lies(format, &left).unwrap_or(0),
                    0,
                    "{format}: {} leaves {left:02x?}",
                    pass.name()
                );
            }
        }
    }
}

fn number(file: &[u8], at: usize, width: usize) -> usize {
    let bytes = file[at..at + width].iter().rev();
    bytes.fold(0, |number, &byte| number << 8 | usize::from(byte))
}

fn name(file: &[u8], at: usize) -> Vec<u8> {
    let name = file[at..].split(|&byte| byte == 0).next();
    name.unwrap_or_default().to_vec()
}

/// The names of the symbols that the relocations of an object file name, read as its format says.
fn relocated(format: &str, file: &[u8]) -> Vec<Vec<u8>> {
    let field = |at, width| number(file, at, width);
    let mut names = Vec::new();
    match format {
        "mach-o" => {
            let (mut commands, mut at) = (Vec::new(), 32);
            for _ in 0..field(16, 4) {
                commands.push((field(at, 4), at));
                at += field(at + 4, 4);
            }
            let table = commands.iter().find(|it| it.0 == 2).map(|it| it.1);
            for (_, at) in commands.iter().filter(|it| it.0 == 0x19) {
                for section in (0..field(at + 64, 4)).map(|section| at + 72 + 80 * section) {
                    for at in (0..field(section + 60, 4)).map(|it| field(section + 56, 4) + 8 * it)
                    {
                        if field(at + 7, 1) & 8 != 0 {
                            let table = table.unwrap();
                            let symbol = field(table + 8, 4) + 16 * field(at + 4, 3);
                            assert!(field(at + 4, 3) < field(table + 12, 4));
                            names.push(name(file, field(table + 16, 4) + field(symbol, 4)));
                        }
                    }
                }
            }
        }
        "coff" => {
            let (table, symbols) = (field(8, 4), field(12, 4));
            for section in (0..field(2, 2)).map(|section| 20 + 40 * section) {
                for at in (0..field(section + 32, 2)).map(|it| field(section + 24, 4) + 10 * it) {
                    assert!(field(at + 4, 4) < symbols);
                    let symbol = table + 18 * field(at + 4, 4);
                    names.push(if field(symbol, 4) == 0 {
                        name(file, table + 18 * symbols + field(symbol + 4, 4))
                    } else {
                        name(&file[..symbol + 8], symbol)
                    });
                }
            }
        }
        _ => {
            let header = |section: usize| field(0x28, 8) + 64 * section;
            let of_kind = (0..field(0x3c, 2)).map(header);
            for section in of_kind.filter(|&at| field(at + 4, 4) == 4) {
                let symbols = header(field(section + 0x28, 4));
                let strings = header(field(symbols + 0x28, 4));
                for at in
                    (0..field(section + 0x20, 8) / 24).map(|it| field(section + 0x18, 8) + 24 * it)
                {
                    let symbol = field(symbols + 0x18, 8) + 24 * field(at + 12, 4);
                    names.push(name(file, field(strings + 0x18, 8) + field(symbol, 4)));
                }
            }
        }
    }
    names
}

#[test]
fn relocations_name_the_symbols_that_they_named() {
    let files: [(&str, &[u8], usize); 3] = [
        ("mach-o", include_bytes!("samples/small.macho"), 4),
        ("coff", include_bytes!("samples/small.coff"), 4),
        ("elf", include_bytes!("samples/groups.elf"), 4),
    ];
    for (format, file, at_least) in files {
        let names = relocated(format, file);
        assert!(names.len() >= at_least, "{format}: {}", names.len());
        let target = Target::new(file.to_vec());
        let mut fewer = 0;
        for patch in patches(&InContainer(DeleteParts), &target) {
            let left = relocated(format, &patch.applied(file));
            let is_known = |name: &Vec<u8>| names.contains(name);
            assert!(left.iter().all(is_known), "{format}: {left:?} of {names:?}");
            fewer += usize::from(left.len() < names.len());
        }
        assert!(fewer > 1, "{format}");
    }
}

#[test]
fn a_command_about_nothing_can_go() {
    let mut file =
        b"\xcf\xfa\xed\xfe\x07\0\0\x01\x03\0\0\0\x01\0\0\0\x02\0\0\0\x28\0\0\0\0\0\0\0\0\0\0\0"
            .to_vec();
    let data_in_code = b"\x29\0\0\0\x10\0\0\0\x48\0\0\0\0\0\0\0";
    let symbols = b"\x02\0\0\0\x18\0\0\0\x48\0\0\0\0\0\0\0\x48\0\0\0\0\0\0\0";
    file.extend([&data_in_code[..], symbols, b"end"].concat());
    let target = Target::new(file.clone());
    let left = patches(&InContainer(DeleteParts), &target);
    let left: Vec<Vec<u8>> = left.iter().map(|patch| patch.applied(&file)).collect();
    // How many commands are left, and the kind of the first.
    let commands = |left: &Vec<u8>| (number(left, 16, 4), number(left, 32, 4));
    for expected in [(1, 0x2), (1, 0x29)] {
        assert!(
            left.iter().any(|left| commands(left) == expected),
            "{left:02x?}"
        );
    }
}

#[test]
fn every_format_has_parts_that_can_go() {
    for (format, _) in FORMATS {
        let (_, file) = FILES.iter().find(|(name, _)| name == format).unwrap();
        let target = Target::new(file.to_vec());
        let parts = patches(&InContainer(DeleteParts), &target).len();
        let bytes = patches(&InContainer(DeletePartBytes), &target).len();
        assert!(parts.max(bytes) > 1, "{format}");
    }
}

#[test]
fn whatever_a_file_says_nothing_panics_or_stalls() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for (format, file) in FILES {
        for _ in 0..100 {
            let mut hostile = file.to_vec();
            for _ in 0..1 + random.next_u64() % 4 {
                mutate(&mut hostile, &mut random);
            }
            let target = Target::new(hostile);
            for pass in PASSES {
                for patch in patches(*pass, &target).iter().take(60) {
                    assert!(
                        patch.extent().is_none_or(|(_, end)| end <= target.len()),
                        "{format}"
                    );
                    let _ = patch.applied(target.elements());
                    for direction in 0..pass.directions() {
                        let _ = pass.grow(&target, patch, direction, 1);
                    }
                }
            }
        }
    }
}

fn mutate(file: &mut Vec<u8>, random: &mut Xoshiro256PlusPlus) {
    let mut below = |bound: usize| (random.next_u64() % bound.max(1) as u64) as usize;
    let at = below(file.len());
    let other = below(file.len());
    match below(5) {
        0 if !file.is_empty() => file[at] = [0, 1, 0x7f, 0x80, 0xff][below(5)],
        1 if !file.is_empty() => file[at] ^= 1 << below(8),
        2 => file.truncate(at),
        3 => drop(file.splice(at..at, [0xff; 10])),
        _ => {
            let (from, to) = (at.min(other), at.max(other));
            let copied = file[from..to].to_vec();
            drop(file.splice(from..from, copied));
        }
    }
}

#[test]
fn what_defined_something_leaves_that_to_the_first_use() {
    // A list of two words, the second of them remembered, and of what was remembered, twice.
    let pickle = b"\x80\x04](\x8c\x01x\x8c\x02ab\x94h\0h\0e.";
    let (_, parse) = FORMATS.iter().find(|(name, _)| *name == "pickle").unwrap();
    let container = parse(pickle).unwrap();
    let without = |start: usize, end: usize| {
        let patch = container.patch(pickle, &Patch::cut(start, end)).unwrap();
        (patch.applied(pickle), patch)
    };
    let (left, first) = without(7, 12);
    assert_eq!(left, b"\x80\x04](\x8c\x01x\x8c\x02ab\x94h\0e.");
    let (left, second) = without(7, 14);
    assert_eq!(left, b"\x80\x04](\x8c\x01x\x8c\x02ab\x94e.");
    assert_eq!(container.combined(pickle, &first, &second), Some(second));
}
