//! The page as a file, and the server.

use mechan::explore::{CoreModule, NoCore, Page, Served, serve};
use std::io::{Read, Write};
use std::net::TcpStream;

fn core(bytes: &[u8]) -> (tempfile::TempDir, Result<CoreModule, NoCore>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("core.wasm");
    std::fs::write(&path, bytes).unwrap();
    let core = CoreModule::read(&path);
    (folder, core)
}

#[test]
fn pages_are_whole_and_know_their_script() {
    let (_folder, core) = core(b"\0asm\x01\0\0\0");
    let page = Page::gallery().unwrap().html(&core.unwrap()).unwrap();
    let names = ["TITLE", "CONNECT", "HASHES", "STYLE", "WORKER", "CORE", "DATA", "SOURCE", "BOOT"];
    assert!(names.iter().all(|name| !page.contains(&format!("{{{{{name}}}}}"))));
    assert!(page.contains("script-src 'sha256-") && page.contains("connect-src 'none'"));
    assert_eq!(page.matches("<script").count(), page.matches("</script>").count());
    // names of languages are no addresses
    let rest = page.replace("http://www.w3.org/", "");
    assert!(!rest.contains("http://") && !rest.contains("https://"));
}

#[test]
fn what_is_no_module_is_refused() {
    assert!(matches!(core(b"<html>").1, Err(NoCore::Other { .. })));
    let nowhere = std::path::Path::new("no/such/core.wasm");
    assert!(matches!(CoreModule::read(nowhere), Err(NoCore::Unreadable { .. })));
    assert!(NoCore::Nowhere.to_string().contains("cargo build --profile web -p mechan-web"));
}

fn said(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    // a refused body may close the connection early
    drop(stream.read_to_string(&mut answer));
    answer
}

#[test]
fn the_server_answers_its_own_page_alone() {
    let (_folder, core) = core(b"\0asm\x01\0\0\0");
    let derives =
        |text: Vec<u8>| if text == b"good" { Ok("{}".to_string()) } else { Err("{\"fault\":{}}".into()) };
    let served = Served::new(Page::default(), &core.unwrap(), 0, Box::new(derives)).unwrap();
    let address = served.address().unwrap();
    let rest = address.strip_prefix("http://127.0.0.1:").unwrap();
    let (port, path) = rest.split_once('/').unwrap();
    let (port, path) = (port.parse().unwrap(), format!("/{path}"));
    std::thread::spawn(move || serve(served));
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    let get = |path: &str, head: &str| said(port, &format!("GET {path} HTTP/1.1\r\n{head}\r\n"));
    let post = |head: &str, text: &str| {
        said(
            port,
            &format!(
                "POST {path}derive HTTP/1.1\r\n{host}{head}Content-Length: {}\r\n\r\n{text}",
                text.len()
            ),
        )
    };
    assert!(
        get(&path, &host).starts_with("HTTP/1.1 200") && get(&path, &host).contains("connect-src 'self'")
    );
    assert!(get("/", &host).starts_with("HTTP/1.1 404"));
    assert!(get("/../etc/passwd", &host).starts_with("HTTP/1.1 404"));
    assert!(get(&path, "Host: evil.example\r\n").starts_with("HTTP/1.1 403"));
    assert!(get(&path, &format!("{host}Origin: http://evil.example\r\n")).starts_with("HTTP/1.1 403"));
    assert!(post("", "good").starts_with("HTTP/1.1 200"));
    assert!(post("", "bad").starts_with("HTTP/1.1 422"));
    assert!(post("Origin: null\r\n", "good").starts_with("HTTP/1.1 403"));
    let long = format!("POST {path}derive HTTP/1.1\r\n{host}Content-Length: 99999999\r\n\r\n");
    assert!(said(port, &long).starts_with("HTTP/1.1 413"));
    assert!(said(port, "nonsense\r\n\r\n").starts_with("HTTP/1.1 400"));
}

/// Who keeps connections open without a word takes places, not the server.
#[test]
fn more_than_a_few_requests_at_a_time_are_refused() {
    let (_folder, core) = core(b"\0asm\x01\0\0\0");
    let served = Served::new(Page::default(), &core.unwrap(), 0, Box::new(|_| Ok(String::new()))).unwrap();
    let address = served.address().unwrap();
    let port: u16 =
        address.strip_prefix("http://127.0.0.1:").unwrap().split('/').next().unwrap().parse().unwrap();
    std::thread::spawn(move || serve(served));
    let idle: Vec<TcpStream> = (0..4).map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap()).collect();
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(said(port, "GET / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 503"));
    drop(idle);
}
