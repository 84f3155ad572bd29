//! How snapshots are kept: beside those of other tests, with what is left of a zero after rounding shown as one, and a report in parts, each
//! of which says one thing.

pub(crate) fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(r"-?\d(\.\d+)?e-1[2-9]", "~0");
    settings.add_filter(r"−?\d(\.\d+)?e-1[2-9]", "~0");
    settings
}

/// A report as snapshots: what stands before its states, then each state.
#[allow(dead_code, reason = "not every test that keeps snapshots keeps reports")]
pub(crate) fn assert_report(name: &str, report: &str) {
    let starts = report.match_indices("\nState ").map(|(at, _)| at + 1);
    let bounds: Vec<usize> = std::iter::once(0).chain(starts).chain([report.len()]).collect();
    settings().bind(|| {
        for part in bounds.windows(2).map(|bounds| &report[bounds[0]..bounds[1]]) {
            let state = part.strip_prefix("State ").and_then(|rest| rest.split_whitespace().next());
            let name = state.map_or(name.to_string(), |state| format!("{name}_{state}"));
            insta::assert_snapshot!(name, part);
        }
    });
}
