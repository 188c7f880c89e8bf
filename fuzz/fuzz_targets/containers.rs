//! Whatever a file says of itself, taking it apart and cutting it ends without a panic, and an archive that
//! can be read is read again as it is written.
#![no_main]

use ablate_engine::patch::Patch;
use ablate_passes::formats::archive::Archive;
use ablate_passes::formats::containers::FORMATS;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    if let Some((archive, folder)) = Archive::read(file) {
        let again = Archive::read(&archive.pack(&folder));
        assert_eq!(again.map(|(_, again)| again), Some(folder));
    }
    for (_, parse) in FORMATS {
        let Some(container) = parse(file) else {
            continue;
        };
        for part in container.parts().iter().take(16) {
            let cut = Patch::cut(part.start as usize, part.end as usize);
            if let Some(patch) = container.patch(file, &cut) {
                let _ = patch.applied(file);
                let _ = container.combined(file, &patch, &patch);
            }
        }
        for &(start, end) in container.payloads().iter().take(16) {
            let cut = Patch::cut(start as usize, end as usize);
            let _ = container.patch(file, &cut).map(|patch| patch.applied(file));
        }
        for alternative in container.alternatives().iter().take(4) {
            let _ = container.patch(file, alternative);
        }
    }
});
