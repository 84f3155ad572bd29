//! `mechan converge`: table, JSON, pictures, and questions that make no sense.

use crate::run::mechan;

const BALL: &str = "benches/models/bouncing_ball.json";

#[test]
fn the_json_has_the_keys_of_its_version() {
    let run = mechan(&[
        "converge",
        BALL,
        "--t-end",
        "2.3",
        "--schemes",
        "moreau,radau-3,event",
        "--steps",
        "0.1,0.05",
        "--format",
        "json",
    ])
    .ends(0);
    let found = run.json();
    assert_eq!(found["schema"], "mechan.convergence/1");
    assert_eq!((&found["mechanism"], &found["state"]), (&"bouncing_ball".into(), &"dropped".into()));
    assert_eq!(found["t_end"], 2.3);
    assert_eq!(found["reference"]["kind"], "exact");
    assert!(found["reference"]["error"].as_f64().unwrap() < 1e-12);
    let studies = found["studies"].as_array().unwrap();
    let orders: Vec<_> = studies.iter().map(|s| (s["scheme"].clone(), s["order"].clone())).collect();
    assert_eq!(
        orders,
        [("moreau".into(), 1.into()), ("radau-3".into(), 3.into()), ("event".into(), 8.into())]
    );
    for study in &studies[..2] {
        let runs = study["runs"].as_array().unwrap();
        let steps: Vec<_> = runs.iter().map(|run| run["h"].as_f64().unwrap()).collect();
        assert_eq!(steps, [0.1, 0.05]);
        for run in runs {
            assert!(run["evaluations"].as_u64().unwrap() > 0);
            for norm in ["hausdorff", "l1", "l2", "uniform"] {
                assert!(run["q"][norm].is_number() && run["v"][norm].is_number(), "{run}");
                assert!(study["slopes"]["q"].get(norm).is_some() && study["slopes"]["v"].get(norm).is_some());
            }
        }
    }
    assert!(studies[2]["runs"][0]["rtol"].is_number());
}

#[test]
fn a_table_is_printed_and_pictures_are_written_where_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let [order, work] = ["o.svg", "w.svg"].map(|name| folder.path().join(name).to_str().unwrap().to_string());
    let (first, second) = (format!("order={order}"), format!("work:v.l1={work}"));
    let run = mechan(&[
        "converge",
        BALL,
        "--schemes",
        "lobatto-4",
        "--steps",
        "0.3,0.1",
        "--plot",
        &first,
        "--plot",
        &second,
    ])
    .ends(0);
    assert!(run.out.contains("Fitted slopes") && run.out.contains("lobatto-4"), "{}", run.out);
    for file in [order, work] {
        assert!(std::fs::read_to_string(file).unwrap().starts_with("<svg"));
    }
}

#[test]
fn wrong_questions_say_what_is_wrong() {
    let cases: [(&[&str], i32, &str); 7] = [
        (
            &["--schemes", "radau-9"],
            2,
            "there is no scheme `radau-9`; did you mean `radau-3`? there are event",
        ),
        (&["--steps", "0"], 2, "0"),
        (&["--steps", "9", "--schemes", "herk-2"], 2, "longer than"),
        (&["--t-end", "-1"], 2, "--t-end is -1"),
        (&["--state", "nowhere"], 2, "nowhere"),
        (&["--plot", "order:q.l9"], 2, "l9"),
        (&["--gamma", "1.5", "--schemes", "moreau"], 2, "--gamma is 1.5"),
    ];
    for (more, status, expected) in cases {
        let run = mechan(&[&["converge", BALL, "--format", "json"], more].concat()).ends(status);
        assert!(run.err.contains(expected), "{more:?}: {}", run.err);
    }
}

#[test]
fn a_tolerance_below_what_doubles_can_give_is_refused() {
    let run = mechan(&["simulate", BALL, "--t-end", "1", "--rtol", "1e-17"]).ends(2);
    assert!(run.err.contains("--rtol is 1e-17, finer than doubles are"), "{}", run.err);
}
