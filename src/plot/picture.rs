//! A finished picture, and the files it goes to.

use super::canvas::escaped;
use crate::diag::Unwritable;
use crate::report::write_whole;
use std::path::{Path, PathBuf};

/// A finished picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub(super) svg: String,
}

/// Why a picture was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureFault {
    /// The name ends neither in `.svg` nor in `.png`.
    #[error("`{}` is no name of a picture: it should end in .svg or .png", .path.display())]
    Ending {
        /// The file.
        path: PathBuf,
    },
    /// The name ends neither in `.svg` nor in `.html`.
    #[error("`{}` is no name of a picture that moves: it should end in .svg or .html", .path.display())]
    Moving {
        /// The file.
        path: PathBuf,
    },
    /// This build draws no PNG.
    #[error("this build writes no PNG: write .svg, or build with `--features png`")]
    NoPng,
    /// The picture cannot be turned into dots.
    #[error("the picture cannot be turned into PNG: {reason}")]
    Dots {
        /// What the renderer says.
        reason: String,
    },
    /// The file cannot be written.
    #[error("{}", Unwritable { path, error })]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

impl Picture {
    /// The picture as SVG.
    pub fn svg(&self) -> &str {
        &self.svg
    }

    /// Writes the picture to a file whose name ends in `.svg` or `.png`.
    ///
    /// # Errors
    /// [`PictureFault`]; no half of a picture is left.
    pub fn write(&self, path: &Path) -> Result<(), PictureFault> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        let bytes = match ending.as_deref() {
            Some("svg") => self.svg.clone().into_bytes(),
            Some("png") => self.png()?,
            _ => return Err(PictureFault::Ending { path: path.to_owned() }),
        };
        write_whole(path, &bytes).map_err(|error| PictureFault::Unwritable { path: path.to_owned(), error })
    }

    /// A page with the picture alone, as wide as the window, and a button that stops an animation.
    pub fn page(&self, title: &str) -> String {
        let title = escaped(title);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
             <title>{title}</title>\n<style>body{{margin:1rem auto;max-width:60rem;padding:0 1rem;font-family:\"DejaVu Sans\",sans-serif}}\
             svg{{width:100%;height:auto;max-height:85vh}}.stopped *{{animation-play-state:paused!important}}</style>\n</head>\n<body>\n{}\
             <button type=\"button\" onclick=\"document.body.classList.toggle('stopped')\">Stop or go on</button>\n</body>\n</html>\n",
            self.svg
        )
    }

    /// Writes a picture that moves to a file whose name ends in `.svg` or `.html`.
    ///
    /// # Errors
    /// [`PictureFault`]; no half of a picture is left.
    pub fn write_moving(&self, path: &Path, title: &str) -> Result<(), PictureFault> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        let text = match ending.as_deref() {
            Some("svg") => self.svg.clone(),
            Some("html" | "htm") => self.page(title),
            _ => return Err(PictureFault::Moving { path: path.to_owned() }),
        };
        write_whole(path, text.as_bytes())
            .map_err(|error| PictureFault::Unwritable { path: path.to_owned(), error })
    }

    /// The picture as PNG, three dots a unit.
    ///
    /// # Errors
    /// [`PictureFault::NoPng`] in a build without the feature `png`.
    #[cfg(not(feature = "png"))]
    pub fn png(&self) -> Result<Vec<u8>, PictureFault> {
        Err(PictureFault::NoPng)
    }

    /// The picture as PNG, three dots a unit, in DejaVu Sans.
    ///
    /// # Errors
    /// [`PictureFault::Dots`].
    #[cfg(feature = "png")]
    pub fn png(&self) -> Result<Vec<u8>, PictureFault> {
        use resvg::{tiny_skia, usvg};
        let fault = |reason: String| PictureFault::Dots { reason };
        let mut options = usvg::Options::default();
        let fonts = options.fontdb_mut();
        fonts.load_font_data(dejavu::sans::regular().to_vec());
        fonts.set_sans_serif_family("DejaVu Sans");
        let tree = usvg::Tree::from_str(&self.svg, &options).map_err(|e| fault(e.to_string()))?;
        let size = tree.size().to_int_size().scale_by(DOTS).ok_or_else(|| fault("no size".to_owned()))?;
        let mut dots = tiny_skia::Pixmap::new(size.width(), size.height())
            .ok_or_else(|| fault(format!("{} x {} dots", size.width(), size.height())))?;
        resvg::render(&tree, tiny_skia::Transform::from_scale(DOTS, DOTS), &mut dots.as_mut());
        dots.encode_png().map_err(|e| fault(e.to_string()))
    }
}

/// Dots a unit: 1080 across a column.
#[cfg(feature = "png")]
const DOTS: f32 = 3.0;
