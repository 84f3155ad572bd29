//! The page on the loopback address: it is read at a path with a token, and a text that is sent there comes back with its equations. Whoever asks from
//! another origin, under another name or for another path is refused; so are bodies that are too large and more than a few requests at a time.

use super::page::{CoreModule, Page};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The largest text that is derived, and the longest head of a request.
const LARGEST: usize = 1 << 20;
const HEAD: u64 = 16 << 10;

/// Requests at a time.
const AT_ONCE: usize = 4;

/// How long a request may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);

/// Derives a text: a model file, or an answer with its faults.
pub type Derives = dyn Fn(Vec<u8>) -> Result<String, String> + Send + Sync;

/// What is served where.
pub struct Served {
    listener: TcpListener,
    token: String,
    page: String,
    derives: Box<Derives>,
}

impl Served {
    /// A page on a port, 0 for any that is free.
    ///
    /// # Errors
    /// Those of the system, and of a page that cannot be written.
    pub fn new(page: Page, core: &CoreModule, port: u16, derives: Box<Derives>) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let token = token()?;
        let page = page.deriving_at(format!("/{token}/derive")).html(core).map_err(std::io::Error::other)?;
        Ok(Self { listener, token, page, derives })
    }

    /// Where it is read.
    ///
    /// # Errors
    /// Those of the system.
    pub fn address(&self) -> std::io::Result<String> {
        Ok(format!("http://{}/{}/", self.listener.local_addr()?, self.token))
    }
}

/// Sixteen bytes that nobody guesses, as hexadecimal digits: keys of the standard library's hashers are drawn from the system.
fn token() -> std::io::Result<String> {
    use std::hash::{BuildHasher, Hasher, RandomState};
    if let Ok(mut source) = std::fs::File::open("/dev/urandom") {
        let mut bytes = [0; 16];
        source.read_exact(&mut bytes)?;
        return Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect());
    }
    let word = || RandomState::new().build_hasher().finish();
    Ok(format!("{:016x}{:016x}", word(), word()))
}

/// Serves until the process ends.
///
/// # Errors
/// Those of the system.
pub fn serve(served: Served) -> std::io::Result<()> {
    let (served, busy) = (Arc::new(served), Arc::new(AtomicUsize::new(0)));
    for stream in served.listener.incoming() {
        let Ok(mut stream) = stream else { continue };
        if busy.fetch_add(1, Ordering::SeqCst) >= AT_ONCE {
            busy.fetch_sub(1, Ordering::SeqCst);
            drop(stream.write_all(&plain(503, "Service Unavailable", "a few requests at a time")));
            continue;
        }
        let (served, busy) = (Arc::clone(&served), Arc::clone(&busy));
        std::thread::spawn(move || {
            // a reader that has gone is nobody's problem
            drop(answer(&served, &mut stream));
            busy.fetch_sub(1, Ordering::SeqCst);
        });
    }
    Ok(())
}

/// The head of a request.
#[derive(Debug, Default)]
struct Head {
    method: String,
    path: String,
    host: String,
    origin: Option<String>,
    length: Option<usize>,
}

fn answer(served: &Served, stream: &mut TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let port = served.listener.local_addr()?.port();
    let mut reader = BufReader::new(stream.try_clone()?);
    let Some(head) = head(&mut reader.by_ref().take(HEAD))? else {
        return stream.write_all(&plain(400, "Bad Request", "no request of HTTP"));
    };
    if let Some(refusal) = refused(&head, port) {
        return stream.write_all(&plain(403, "Forbidden", refusal));
    }
    let own = head.path.strip_prefix('/').and_then(|path| path.strip_prefix(served.token.as_str()));
    match (head.method.as_str(), own) {
        ("GET", Some("/")) => stream.write_all(&whole(200, "OK", "text/html; charset=utf-8", &served.page)),
        ("POST", Some("/derive")) => match head.length {
            Some(length) if length <= LARGEST => {
                let mut text = vec![0; length];
                reader.read_exact(&mut text)?;
                let kind = "application/json";
                stream.write_all(&match (served.derives)(text) {
                    Ok(model) => whole(200, "OK", kind, &model),
                    Err(faults) => whole(422, "Unprocessable Content", kind, &faults),
                })
            }
            Some(_) => stream.write_all(&plain(413, "Content Too Large", "the text is too large")),
            None => stream.write_all(&plain(411, "Length Required", "no length")),
        },
        (_, Some("/" | "/derive")) => stream.write_all(&plain(405, "Method Not Allowed", "another method")),
        _ => stream.write_all(&plain(404, "Not Found", "nothing is here")),
    }
}

/// Why a request is not answered, whatever it asks.
fn refused(head: &Head, port: u16) -> Option<&'static str> {
    let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}"));
    let is_known = |host: &str| hosts.iter().any(|known| known == host);
    if !is_known(&head.host) {
        return Some("another host");
    }
    let origin = head.origin.as_deref()?;
    (!origin.strip_prefix("http://").is_some_and(is_known)).then_some("another origin")
}

/// None for what is no request.
fn head(reader: &mut impl BufRead) -> std::io::Result<Option<Head>> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_ascii_whitespace();
    let (Some(method), Some(path), Some(version)) = (words.next(), words.next(), words.next()) else {
        return Ok(None);
    };
    if !version.starts_with("HTTP/1.") {
        return Ok(None);
    }
    let mut head = Head { method: method.to_string(), path: path.to_string(), ..Head::default() };
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let Some((name, value)) = line.trim_end().split_once(':') else {
            return Ok(line.trim_end().is_empty().then_some(head));
        };
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "host" => head.host = value.to_string(),
            "origin" => head.origin = Some(value.to_string()),
            "content-length" => head.length = Some(value.parse().unwrap_or(usize::MAX)),
            "transfer-encoding" => return Ok(None),
            _ => {}
        }
    }
}

fn plain(status: u16, reason: &str, words: &str) -> Vec<u8> {
    whole(status, reason, "text/plain; charset=utf-8", words)
}

fn whole(status: u16, reason: &str, kind: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nX-Frame-Options: DENY\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::{Head, head, refused};

    fn read(text: &str) -> Option<Head> {
        head(&mut text.as_bytes()).unwrap()
    }

    #[test]
    fn heads_are_read_and_others_are_refused() {
        let own = read("GET /x/ HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n").unwrap();
        assert_eq!((own.path.as_str(), refused(&own, 80)), ("/x/", None));
        assert_eq!(refused(&own, 81), Some("another host"));
        let other =
            read("POST / HTTP/1.1\r\nHost: localhost:80\r\nOrigin: http://evil.example\r\n\r\n").unwrap();
        assert_eq!(refused(&other, 80), Some("another origin"));
        let rebound = read("GET / HTTP/1.1\r\nHost: evil.example:80\r\n\r\n").unwrap();
        assert_eq!(refused(&rebound, 80), Some("another host"));
        for text in ["", "GET /", "GET / HTTP/2\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n"] {
            assert!(read(text).is_none(), "{text:?}");
        }
    }
}
