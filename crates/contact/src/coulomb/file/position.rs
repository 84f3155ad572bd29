//! Where in a problem file a reader stopped: the key and the position in its list, which a line number does not
//! tell in a file of one line.

/// An object or list that is not closed yet.
enum Frame {
    Object(String),
    List(usize),
}

/// Walks through JSON text byte by byte and remembers what is open.
#[derive(Default)]
struct Walk {
    open: Vec<Frame>,
    /// The string that is being read, if one is.
    string: Option<Vec<u8>>,
    escaped: bool,
    /// The last string that was read to its end.
    last: String,
}

/// The path to the end of `text`, the beginning of a JSON document: `M.vals[3]`, or nothing at the top level.
pub(super) fn path(text: &[u8]) -> String {
    let mut walk = Walk::default();
    text.iter().for_each(|byte| walk.step(*byte));
    walk.path()
}

impl Walk {
    fn step(&mut self, byte: u8) {
        match &mut self.string {
            Some(read) if self.escaped => {
                self.escaped = false;
                read.push(byte);
            }
            Some(_) if byte == b'\\' => self.escaped = true,
            Some(read) if byte == b'"' => {
                self.last = String::from_utf8_lossy(read).into_owned();
                self.string = None;
            }
            Some(read) => read.push(byte),
            None => self.outside(byte),
        }
    }

    fn outside(&mut self, byte: u8) {
        match (byte, self.open.last_mut()) {
            (b'"', _) => self.string = Some(Vec::new()),
            (b'{', _) => self.open.push(Frame::Object(String::new())),
            (b'[', _) => self.open.push(Frame::List(0)),
            (b'}' | b']', _) => drop(self.open.pop()),
            (b':', Some(Frame::Object(key))) => *key = std::mem::take(&mut self.last),
            (b',', Some(Frame::Object(key))) => key.clear(),
            (b',', Some(Frame::List(index))) => *index += 1,
            _ => {}
        }
    }

    fn path(&self) -> String {
        let mut out = String::new();
        for frame in &self.open {
            match frame {
                Frame::Object(key) if !out.is_empty() && !key.is_empty() => out = format!("{out}.{key}"),
                Frame::Object(key) => out.push_str(key),
                Frame::List(index) => out = format!("{out}[{index}]"),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn the_path_leads_to_the_end_of_the_text() {
        let cases = [
            ("", ""),
            ("{", ""),
            (r#"{"q""#, ""),
            (r#"{"q": 1"#, "q"),
            (r#"{"q": [1, 2"#, "q[1]"),
            (r#"{"q": [1, 2]"#, "q"),
            (r#"{"q": [1, 2], "#, ""),
            (r#"{"M": {"vals": [0.5, nul"#, "M.vals[1]"),
            (r#"{"M": {"vals": [0.5]}"#, "M"),
            (r#"{"na\"[{": [[], ["#, r#"na"[{[1][0]"#),
        ];
        for (text, expected) in cases {
            assert_eq!(path(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn text_that_is_no_json_has_no_path() {
        assert_eq!(path(b"]]}}:,"), "");
    }
}
