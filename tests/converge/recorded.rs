//! The slopes of the paper's Figures 6 and 7, as the report prints them.

use super::Kept;
use mechan::report::{convergence_document, render_text};

fn slopes(kept: &Kept, t_end: f64, schemes: &[&str]) -> String {
    let text = render_text(&convergence_document(&kept.study(t_end, schemes, &[31, 47, 67, 89, 127])));
    text.split("Errors\n").next().unwrap_or_default().to_string()
}

#[test]
fn slopes_of_event_capturing_are_recorded() {
    let implicit = ["lobatto-2", "radau-3", "lobatto-4", "radau-5"];
    let explicit = ["herk-2", "herk-3", "herk-4", "herk-5", "herk-6"];
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for (figure, schemes) in [("6", &implicit[..]), ("7", &explicit[..])] {
        let oscillator = slopes(&Kept::oscillator(), 10.0, schemes);
        let ball = slopes(&Kept::ball(), 5.0, schemes);
        settings.bind(|| {
            insta::assert_snapshot!(format!("a09_figure_{figure}"), format!("{oscillator}\n{ball}"));
        });
    }
}
