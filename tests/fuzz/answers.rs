//! Answers: what is read is derived by a worker and analysed. A worker neither dies nor gives a damaged answer, and a
//! state has an analysis of finite numbers or an error with a code.

use crate::files::{read_or_refused, typed};
use crate::{bases, fuzz};
use mechan::analysis::StateAnswer;
use mechan::derive::{DeriveError, Worker};
use mechan::model::Model;
use mechan::pipeline::{AnalyzeOptions, Failure, Loaded, Origin, analyze};

#[test]
fn mutated_mechanisms_are_derived_and_answered() {
    let worker = Worker::new(env!("CARGO_BIN_EXE_mechan").into());
    fuzz(60, &bases("mechanisms", "yaml"), |text| {
        let Some((source, mechanism)) = read_or_refused(text) else { return };
        let model = match worker.model(&mechanism, &|_| {}) {
            Ok(model) => model,
            Err(DeriveError::ZeroDivisor { span }) => {
                assert!(span.start < span.end && span.end <= source.text.len(), "{span:?}");
                return;
            }
            Err(DeriveError::Shape { .. } | DeriveError::Refused(_)) => return,
            Err(error) => panic!("{error}"),
        };
        answered(
            &Loaded { source, mechanism, warnings: Vec::new(), model: None, origin: Origin::File },
            &model,
        );
    });
}

fn answered(loaded: &Loaded, model: &Model) {
    let analysis = match analyze(loaded, model, &AnalyzeOptions::default()) {
        Ok(analysis) => analysis,
        Err(Failure::Input { source, diagnostics }) => return typed(&source, &diagnostics),
        Err(other) => panic!("{other}"),
    };
    for state in &analysis.states {
        match state {
            StateAnswer::Failure(failure) => typed(&loaded.source, &failure.faults),
            StateAnswer::Outcome(outcome) => {
                let accelerations =
                    outcome.model.free_acceleration.iter().chain(outcome.delassus.iter().flatten());
                assert!(accelerations.into_iter().all(|x| x.value.is_finite()), "{}", outcome.state);
            }
        }
    }
    serde_json::to_string(&analysis).expect("an analysis can be written");
}
