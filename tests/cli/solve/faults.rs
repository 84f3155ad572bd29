//! Problem files that are wrong: one message that names the place and what would be right, exit status 1, no output.

use super::*;

/// The message about a file `problem.json`, without what all have in common.
fn message(text: &[u8]) -> String {
    let run = solve_text("problem.json", text, &[]).ends(1);
    assert!(run.out.is_empty(), "{}", run.out);
    let message = run.err.strip_prefix("error: problem.json: ").unwrap_or_else(|| panic!("{}", run.err));
    assert_eq!(message.lines().count(), 1, "{message}");
    message.trim_end().to_string()
}

/// The messages about changes of a good file: pointer, new value (or none to leave the key out).
fn changed(file: &str, changes: &[(&str, Option<Value>)]) -> String {
    let mut out = String::new();
    for (pointer, value) in changes {
        let mut changed = problem(file);
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = changed.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        match value {
            Some(value) => drop(parent.insert(key.to_string(), value.clone())),
            None => drop(parent.remove(key)),
        }
        let shown = value.as_ref().map_or("left out".to_string(), |v| v.to_string());
        let shown: String = shown.chars().take(60).collect();
        out += &format!("{pointer}: {shown}\n    {}\n", message(changed.to_string().as_bytes()));
    }
    out
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn global_problems() {
    let set = |value: Value| Some(value);
    let text = changed(
        FAMILY,
        &[
            ("/format", set(json!("fcp-2"))),
            ("/format", set(json!(1))),
            ("/format", None),
            ("/kind", set(json!("reduced"))),
            ("/kind", None),
            ("/dim", set(json!(4))),
            ("/dim", set(json!(2.5))),
            ("/dim", None),
            ("/n_contacts", set(json!(3))),
            ("/n_contacts", set(json!(-1))),
            ("/n_contacts", None),
            ("/n_rows", set(json!(6))),
            ("/n_dof", set(json!(4))),
            ("/mu", set(json!([0.5]))),
            ("/mu", set(json!([0.5, -0.5]))),
            ("/mu", set(json!([0.5, null]))),
            ("/mu", set(json!([0.5, "inf"]))),
            ("/mu", None),
            ("/q", set(json!([0.0, -2.0]))),
            ("/q", None),
            ("/b", set(json!([0.0]))),
            ("/b", None),
            ("/M", None),
            ("/H", None),
            ("/H", set(json!([[1.0, 0.0]]))),
            ("/H/nrows", set(json!(2))),
            ("/H/ncols", set(json!(3))),
            ("/H/nnz", set(json!(9))),
            ("/H/vals", None),
            ("/H/rows", set(json!([1, 2, 0, 2, 1, 2, 0, -2]))),
            ("/H/rows", set(json!([1, 2, 0, 2, 1, 2, 0, 0.5]))),
            ("/H/rows", set(json!([1, 2, 0, 2, 1, 2, 0, 3]))),
            ("/H/cols", set(json!([0, 0, 1, 1, 2, 2, 3, 4]))),
            ("/H/rows", set(json!([1, 1, 0, 2, 1, 2, 0, 2]))),
            ("/M", set(matrix(&[&[1.0, 2.0, 0.0], &[2.0, 1.0, 0.0], &[0.0, 0.0, 1.0]]))),
            ("/M", set(matrix(&[&[1.0, 1.0, 0.0], &[1.0, 1.0, 0.0], &[0.0, 0.0, 1.0]]))),
            ("/M", set(matrix(&[&[1.0, 0.0, 0.0], &[0.0, -2.0, 0.0], &[0.0, 0.0, 1.0]]))),
            ("/M", set(matrix(&[&[1.0, 0.5, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0]]))),
        ],
    );
    snapshot("solve_faults_global", &text);
}

#[test]
fn local_problems() {
    let text = changed(
        SPACE,
        &[
            ("/W", None),
            ("/W/nrows", Some(json!(2))),
            ("/W/cols", Some(json!([0, 1]))),
            ("/W/vals", Some(json!([1.0, null, 1.0]))),
            ("/q", Some(json!([1.0, 2.0]))),
            ("/q", None),
            ("/dim", Some(json!(2))),
        ],
    );
    snapshot("solve_faults_local", &text);
}

#[test]
fn texts_that_are_no_json() {
    let good = std::fs::read_to_string(FAMILY).unwrap();
    let cases: [(&str, Vec<u8>); 11] = [
        ("nothing", Vec::new()),
        ("white space", b" \n\n ".to_vec()),
        ("prose", b"hello".to_vec()),
        ("a list", b"[1, 2]".to_vec()),
        ("bytes", b"\xff\xfe\x00{}".to_vec()),
        ("truncated", good.as_bytes()[..good.find("\"q\"").unwrap() + 10].to_vec()),
        ("more after the end", format!("{good}{{}}").into_bytes()),
        ("a key twice", good.replacen("\"b\":", "\"q\": [], \"b\":", 1).into_bytes()),
        ("NaN", good.replacen("-2", "NaN", 1).into_bytes()),
        ("1e999", good.replacen("-2", "1e999", 1).into_bytes()),
        ("Infinity", good.replacen("-2", "Infinity", 1).into_bytes()),
    ];
    let text: String = cases.iter().map(|(name, text)| format!("{name}\n    {}\n", message(text))).collect();
    snapshot("solve_faults_text", &text);
}

#[test]
fn damaged_gzip() {
    let good = packed(&std::fs::read(FAMILY).unwrap());
    for bad in [&good[..good.len() / 2], &good[..2], &good[..good.len() - 9]] {
        let message = message(bad);
        assert!(message.starts_with("cannot be unpacked with gzip ("), "{message}");
        assert!(message.ends_with("is the file truncated or damaged?"), "{message}");
    }
    // gzip is recognised by its first bytes, whatever the name
    solve_text("problem.json", &good, &[]).ends(0);
}

#[test]
fn what_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let run = mechan(&["solve", path]).ends(1);
    assert!(run.err.contains("cannot be read"), "{}", run.err);
    let run = mechan(&["solve", "no/such/file.json"]).ends(1);
    assert!(run.err.starts_with("error: no/such/file.json: cannot be read: "), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_cannot_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret.json");
    std::fs::copy(SPACE, &path).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    let run = mechan(&["solve", path.to_str().unwrap()]);
    // a superuser may read everything
    match std::fs::File::open(&path) {
        Ok(_) => drop(run.ends(0)),
        Err(_) => assert!(run.ends(1).err.contains("cannot be read")),
    }
}

#[test]
fn a_huge_file_is_refused_before_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("huge.json");
    std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let run = mechan(&["solve", path.to_str().unwrap()]).ends(1);
    assert!(run.err.contains("larger than 1073741824 bytes"), "{}", run.err);
}
