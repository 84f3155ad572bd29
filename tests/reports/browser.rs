//! The page in a real browser: nothing on its console, every picture drawn, no sideways scrolling on a phone, and a print with what is
//! folded on the screen. Skipped with a notice where there is no Chromium.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Programs that are Chromium, by the names of systems.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// What keeps a browser without a screen from asking for anything.
const QUIET: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
];

/// Width of a phone, in CSS pixels.
const PHONE: usize = 390;

struct Browser {
    program: &'static str,
    folder: tempfile::TempDir,
}

impl Browser {
    fn find() -> Option<Self> {
        let runs =
            |name: &&&str| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
        let program = NAMES.iter().find(runs).copied();
        if program.is_none() {
            eprintln!("not looked at in a browser: there is no Chromium here");
        }
        Some(Self { program: program?, folder: tempfile::tempdir().expect("a folder") })
    }

    fn write(&self, name: &str, page: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, page).expect("a page");
        path
    }

    fn open(&self, page: &Path, arguments: &[&str]) -> Output {
        Command::new(self.program)
            .args(QUIET)
            .arg(format!("--user-data-dir={}", self.folder.path().join("profile").display()))
            .args(arguments)
            .arg(format!("file://{}", page.display()))
            .output()
            .expect("the browser runs")
    }

    /// What a script finds in a page, as the text of an element of its own.
    fn ask(&self, page: &str, script: &str) -> String {
        let asking = page.replace(
            "</body>",
            &format!("<pre id=\"found\"></pre><script>window.onload=()=>{{document.getElementById('found').textContent=String({script})}}</script></body>"),
        );
        let output = self.open(&self.write("asked.html", &asking), &["--dump-dom"]);
        let dom = String::from_utf8_lossy(&output.stdout).into_owned();
        let start = dom.find("<pre id=\"found\">").expect("the page was read") + "<pre id=\"found\">".len();
        dom[start..].split("</pre>").next().unwrap_or_default().to_string()
    }
}

fn page(mechanism: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_mechan"))
        .args(["analyze", "--quiet", "--format", "html", mechanism])
        .env("MECHAN_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("mechan runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn pages_in_a_browser() {
    let Some(browser) = Browser::find() else { return };
    for mechanism in ["painleve_rod", "rod_3d", "slope_body"] {
        let page = page(mechanism);
        let opened = browser.open(&browser.write("page.html", &page), &["--dump-dom"]);
        let log = String::from_utf8_lossy(&opened.stderr);
        let said: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
        assert!(opened.status.success() && said.is_empty(), "{mechanism}: {said:?}");
        // every picture takes room, and so does every formula
        let flat = "[...document.querySelectorAll('main figure svg, main td svg')].filter(e=>!(e.getBoundingClientRect().width>20&&e.getBoundingClientRect().height>10)).length";
        assert_eq!(browser.ask(&page, flat), "0", "{mechanism}: pictures without room");
        let pictures = browser.ask(&page, "document.querySelectorAll('main figure svg').length");
        assert_eq!(pictures, page.matches("<figure ").count().to_string(), "{mechanism}: pictures");
        let dead = "[...document.querySelectorAll('a[href^=\"#\"]')].filter(a=>!document.getElementById(a.hash.slice(1))).length";
        assert_eq!(browser.ask(&page, dead), "0", "{mechanism}: links that lead nowhere");
        let ids = "(all=>all.length-new Set(all).size)([...document.querySelectorAll('[id]')].map(e=>e.id))";
        assert_eq!(browser.ask(&page, ids), "0", "{mechanism}: ids that are not the only ones");
    }
}

/// A window cannot be as narrow as a phone; a frame in it can.
#[test]
fn pages_on_a_phone() {
    let Some(browser) = Browser::find() else { return };
    for mechanism in ["painleve_rod", "rod_3d", "brick_stack"] {
        let escaped = page(mechanism).replace('&', "&amp;").replace('"', "&quot;");
        let frame = format!(
            "<!doctype html><html><body><iframe id=\"f\" style=\"border:0;width:{PHONE}px;height:800px\" srcdoc=\"{escaped}\"></iframe></body></html>"
        );
        let width =
            browser.ask(&frame, "document.getElementById('f').contentDocument.documentElement.scrollWidth");
        let width: usize = width.parse().expect("a width");
        assert!(width <= PHONE, "{mechanism} is {width} wide");
    }
}

/// On paper the folded parts stand open: they take pages.
#[test]
fn pages_on_paper() {
    let Some(browser) = Browser::find() else { return };
    let page = page("painleve_rod");
    let sheets = |name: &str, page: &str| {
        let file = browser.folder.path().join(format!("{name}.pdf"));
        let print = format!("--print-to-pdf={}", file.display());
        browser.open(&browser.write(&format!("{name}.html"), page), &[&print]);
        let bytes = std::fs::read(&file).expect("a print");
        String::from_utf8_lossy(&bytes).matches("/Type /Page\n").count()
    };
    let without: String = {
        let mut rest = page.as_str();
        let mut kept = String::new();
        while let Some(start) = rest.find("<details class=") {
            kept += &rest[..start];
            rest = &rest[start..];
            rest = &rest[rest.find("</details>").expect("an end") + "</details>".len()..];
        }
        kept + rest
    };
    let (all, shown) = (sheets("all", &page), sheets("shown", &without));
    assert!(all > shown && shown > 0, "{all} pages, without what is folded {shown}");
}
