//! How snapshots are kept: beside those of other tests, and with what is left of a zero after rounding shown as one.

pub(crate) fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(r"-?\d(\.\d+)?e-1[2-9]", "~0");
    settings.add_filter(r"−?\d(\.\d+)?e-1[2-9]", "~0");
    settings
}
