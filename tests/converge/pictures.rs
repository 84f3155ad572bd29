//! Diagrams of a study: one mark for each run, curves in the order of the legend.

use super::Kept;
use mechan::plot::{ConvergencePlot, convergence};

#[test]
fn a_diagram_has_a_mark_for_each_run_and_names_every_scheme() {
    let found = Kept::oscillator().study(4.0, &["lobatto-2", "herk-4"], &[17, 31, 47]);
    for name in ["order", "work", "order:v.l1", "work:q.hausdorff"] {
        let plot: ConvergencePlot = name.parse().unwrap();
        let svg = convergence(&found, &plot).unwrap().svg().to_string();
        // circles of order 2: three runs and one in the legend
        assert_eq!(svg.matches("<circle").count(), 4, "{name}");
        assert!(svg.contains("lobatto-2") && svg.contains("herk-4"), "{name}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}

#[test]
fn other_pictures_are_refused() {
    for name in ["orders", "order:w", "order:q.l7", "work="] {
        assert!(name.parse::<ConvergencePlot>().is_err(), "{name}");
    }
}
