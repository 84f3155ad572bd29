//! Datasets of an HDF5 file as lists of numbers. What a file declares is weighed against its size before it is read.

use hdf5_pure::{DType, Dataset, Error, File, FormatError};

use super::super::fault::FclibError;
use super::super::read::Limits;
use crate::coulomb::error::ProblemError;

/// A group of a file, by its path.
pub(super) struct Folder<'a> {
    file: &'a Container,
    path: String,
}

/// An HDF5 file in memory.
pub(super) struct Container {
    file: File,
    bytes: usize,
    limits: Limits,
}

/// Numbers that a byte can stand for at most: deflate packs at most 1032 to 1, and a number has a byte or more.
const NUMBERS_PER_BYTE: u64 = 1032;

impl Container {
    pub(super) fn open(bytes: Vec<u8>, limits: Limits) -> Result<Self, FclibError> {
        let length = bytes.len();
        let file = File::from_bytes(bytes).map_err(|e| FclibError::Container { message: e.to_string() })?;
        let expected = file.superblock().eof_address;
        if expected > length as u64 {
            return Err(FclibError::Truncated { found: length, expected });
        }
        Ok(Self { file, bytes: length, limits })
    }

    /// Names of the groups at the top.
    pub(super) fn groups(&self) -> Result<Vec<String>, FclibError> {
        self.file.root().groups().map_err(|e| FclibError::Container { message: e.to_string() })
    }

    pub(super) fn folder(&self, path: &str) -> Folder<'_> {
        Folder { file: self, path: path.to_owned() }
    }
}

impl Folder<'_> {
    /// The path of something in it.
    pub(super) fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.path)
    }

    pub(super) fn folder(&self, name: &str) -> Folder<'_> {
        Folder { file: self.file, path: self.path(name) }
    }

    /// Names of the groups in it.
    pub(super) fn groups(&self) -> Result<Vec<String>, FclibError> {
        let groups = self.file.file.group(&self.path).and_then(|group| group.groups());
        groups.map_err(|e| failure(&self.path, &e))
    }

    /// A list of numbers.
    pub(super) fn numbers(&self, name: &str) -> Result<Vec<f64>, ProblemError> {
        let path = self.path(name);
        let numbers = self.list(&path)?.read_f64().map_err(|e| failure(&path, &e))?;
        match numbers.iter().position(|x| !x.is_finite()) {
            Some(entry) => Err(FclibError::NotFinite { path, entry }.into()),
            None => Ok(numbers),
        }
    }

    /// A list of integers.
    pub(super) fn integers(&self, name: &str) -> Result<Vec<i64>, ProblemError> {
        let path = self.path(name);
        let list = self.list(&path)?;
        match list.dtype().map_err(|e| failure(&path, &e))? {
            DType::I8 | DType::I16 | DType::I32 | DType::I64 | DType::U8 | DType::U16 | DType::U32 => {
                Ok(list.read_i64().map_err(|e| failure(&path, &e))?)
            }
            other => Err(FclibError::NotIntegers { path, found: other.to_string() }.into()),
        }
    }

    /// One integer.
    pub(super) fn integer(&self, name: &str) -> Result<i64, ProblemError> {
        match self.integers(name)?.as_slice() {
            [one] => Ok(*one),
            list => Err(FclibError::Shape { path: self.path(name), found: vec![list.len() as u64] }.into()),
        }
    }

    /// One size.
    pub(super) fn size(&self, name: &str) -> Result<usize, ProblemError> {
        let found = self.integer(name)?;
        usize::try_from(found).map_err(|_| FclibError::Negative { path: self.path(name), found }.into())
    }

    /// A text, if there is one.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let list = self.list(&self.path(name)).ok()?;
        Some(list.read_string().ok()?.first()?.trim().to_owned())
    }

    /// A dataset that is a list, and no longer than a file of this size can make it.
    fn list(&self, path: &str) -> Result<Dataset, ProblemError> {
        let dataset = self.file.file.dataset(path).map_err(|e| failure(path, &e))?;
        let shape = dataset.shape().map_err(|e| failure(path, &e))?;
        let path = || path.to_owned();
        if shape.iter().filter(|extent| **extent != 1).count() > 1 {
            return Err(FclibError::Shape { path: path(), found: shape }.into());
        }
        let numbers = shape.iter().copied().find(|extent| *extent != 1).unwrap_or(1);
        let (file, limit) = (self.file.bytes, self.file.limits.bytes);
        if numbers > (file as u64).saturating_mul(NUMBERS_PER_BYTE) {
            return Err(FclibError::TooMany { path: path(), numbers, file }.into());
        }
        if numbers.saturating_mul(size_of::<f64>() as u64) > limit {
            return Err(ProblemError::TooLarge { limit });
        }
        Ok(dataset)
    }
}

/// A dataset or group that is not there, or that cannot be read.
fn failure(path: &str, error: &Error) -> FclibError {
    let path = path.to_owned();
    match error {
        Error::Format(FormatError::PathNotFound(_)) => FclibError::Missing { path },
        error => FclibError::Unreadable { path, message: error.to_string() },
    }
}
