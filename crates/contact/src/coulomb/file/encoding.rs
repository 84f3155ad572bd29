//! What a problem file is written in: by its name where it is yet to be written, by its first bytes where it is there.

use std::path::Path;

/// How a problem is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// JSON in the format `fcp-1`.
    Json,
    /// FCLIB's HDF5.
    Hdf5,
}

/// How a problem is written, and whether gzip is put around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Encoding {
    pub(super) form: Form,
    pub(super) packed: bool,
}

impl Encoding {
    /// What a name announces: HDF5 for `.hdf5` and `.h5`, gzip for one more `.gz`; else JSON.
    pub(super) fn of(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let (name, packed) = name.strip_suffix(".gz").map_or((name.as_str(), false), |name| (name, true));
        let hdf5 = ENDINGS.iter().any(|ending| name.ends_with(ending));
        Self { form: if hdf5 { Form::Hdf5 } else { Form::Json }, packed }
    }
}

/// Endings of the names of HDF5 files.
const ENDINGS: [&str; 2] = [".hdf5", ".h5"];

/// The name of a file without the endings of a problem file.
pub(super) fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let endings = ENDINGS.iter().chain(&[".json"]);
    endings.fold(name, |name, ending| name.strip_suffix(ending).unwrap_or(name)).to_owned()
}

/// Whether bytes are packed by gzip, by their first two.
pub fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// Whether bytes are an HDF5 file, by the signature that stands at their beginning, or after 512, 1024, .. bytes that belong
/// to someone else.
pub fn is_hdf5(bytes: &[u8]) -> bool {
    let blocks = std::iter::successors(Some(512), |place: &usize| place.checked_mul(2));
    let places = std::iter::once(0).chain(blocks).take_while(|place| *place < bytes.len());
    places.into_iter().any(|place| bytes[place..].starts_with(b"\x89HDF\r\n\x1a\n"))
}

#[cfg(test)]
mod tests {
    use super::{Encoding, Form, is_hdf5, stem};
    use std::path::Path;

    #[test]
    fn names_say_how_a_problem_is_written() {
        let cases = [
            ("a.json", Form::Json, false, "a"),
            ("dir.h5/a.json.gz", Form::Json, true, "a"),
            ("a.hdf5", Form::Hdf5, false, "a"),
            ("a-0.5.h5", Form::Hdf5, false, "a-0.5"),
            ("a.hdf5.gz", Form::Hdf5, true, "a"),
            ("hdf5", Form::Json, false, "hdf5"),
        ];
        for (name, form, packed, short) in cases {
            let path = Path::new(name);
            assert_eq!(
                (Encoding::of(path), stem(path)),
                (Encoding { form, packed }, short.to_owned()),
                "{name}"
            );
        }
    }

    #[test]
    fn the_signature_may_stand_behind_a_block_of_the_users() {
        let signature = b"\x89HDF\r\n\x1a\n";
        for (before, expected) in
            [(0, true), (8, false), (512, true), (1024, true), (1536, false), (2048, true)]
        {
            let mut bytes = vec![0; before];
            bytes.extend(signature);
            assert_eq!(is_hdf5(&bytes), expected, "{before}");
        }
        assert!(!is_hdf5(b"\x89HDF") && !is_hdf5(b""));
    }
}
