//! The numbers of the paper's Figures 2 to 7, as the report prints them.

use super::{Kept, heuristic};
use mechan::report::{convergence_document, render_text};

fn slopes(kept: &Kept, t_end: f64, schemes: &[&str]) -> String {
    let text = render_text(&convergence_document(&kept.study(t_end, schemes, &[31, 47, 67, 89, 127])));
    text.split("Errors\n").next().unwrap_or_default().to_string()
}

fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

/// Slopes of Moreau's scheme and of Schatzman and Paoli's.
#[test]
fn slopes_of_schemes_of_order_one_are_recorded() {
    let schemes = ["moreau", "moreau-jean", "moreau-projected", "schatzman-paoli"];
    let counts = [101, 199, 397, 797, 1597, 3203, 6397];
    let slopes = |kept: &Kept, t_end: f64| {
        let study = kept.study(t_end, &schemes, &counts);
        let text = render_text(&convergence_document(&study));
        text.split("Errors\n").next().unwrap_or_default().to_string()
    };
    let both = format!("{}\n{}", slopes(&Kept::oscillator(), 10.0), slopes(&Kept::ball(), 5.0));
    settings().bind(|| insta::assert_snapshot!("a09_figures_2_3", both));
}

/// Errors and evaluations of Moreau's scheme with equal and with adapted steps.
#[test]
fn work_of_adapted_steps_is_recorded() {
    let work = |kept: &Kept, t_end: f64| {
        let study = kept.study(t_end, &["moreau", "moreau-adaptive"], &[101, 1129, 12799]);
        let text = render_text(&convergence_document(&study));
        text.split("Errors\n").nth(1).unwrap_or_default().to_string()
    };
    let both = format!("{}\n{}", work(&Kept::oscillator(), 10.0), work(&Kept::ball(), 5.0));
    settings().bind(|| insta::assert_snapshot!("a09_figures_4_5", both));
}

/// Errors and evaluations of equal steps and of those that the heuristic rule takes, with gaps predicted to the end and to the middle.
#[test]
fn work_of_the_heuristic_rule_is_recorded() {
    let work = |kept: &Kept, gamma: f64| {
        let schemes = ["moreau", "moreau-heuristic"];
        let study = kept.try_study(&heuristic::asked(&schemes, &[101, 1129, 12799], [0.5, gamma])).unwrap();
        let text = render_text(&convergence_document(&study));
        text.split("Errors\n").nth(1).unwrap_or_default().to_string()
    };
    let tables = [(Kept::ball(), 1.0), (Kept::oscillator(), 1.0), (Kept::ball(), 0.5)];
    let all = tables.map(|(kept, gamma)| work(&kept, gamma)).join("\n");
    settings().bind(|| insta::assert_snapshot!("a09_figure_4", all));
}

#[test]
fn slopes_of_event_capturing_are_recorded() {
    let implicit = ["lobatto-2", "radau-3", "lobatto-4", "radau-5"];
    let explicit = ["herk-2", "herk-3", "herk-4", "herk-5", "herk-6"];
    for (figure, schemes) in [("6", &implicit[..]), ("7", &explicit[..])] {
        let oscillator = slopes(&Kept::oscillator(), 10.0, schemes);
        let ball = slopes(&Kept::ball(), 5.0, schemes);
        settings().bind(|| {
            insta::assert_snapshot!(format!("a09_figure_{figure}"), format!("{oscillator}\n{ball}"));
        });
    }
}
