//! Tables 1 to 3 of [CV16]. Their cells are typed here from the survey (with the corrected cell numbers of
//! docs/errata.md); the code regenerates them from contact analyses.

use mechan::analysis::planar::{Table, consistency_table, mode_table, resolution_table};

fn body(table: &Table) -> Vec<Vec<&str>> {
    table.rows.iter().map(|row| row[1..].iter().map(String::as_str).collect()).collect()
}

#[test]
fn table_1_modes() {
    let expected = vec![
        vec![
            "y > 0; y = 0, v > 0; y = v = 0, u > 0; y = v = 0, u = 0; y = v = 0, u < 0",
            "lambda_N = 0, lambda_T = 0",
            "v' > 0",
        ],
        vec![
            "y = v = 0, u > 0; y = v = 0, u = 0",
            "v' = 0, lambda_T = -mu lambda_N",
            "lambda_N > 0; if u = 0: u' > 0",
        ],
        vec![
            "y = v = 0, u = 0; y = v = 0, u < 0",
            "v' = 0, lambda_T = mu lambda_N",
            "lambda_N > 0; if u = 0: u' < 0",
        ],
        vec!["y = v = 0, u = 0", "u' = 0, v' = 0", "lambda_N > 0, |lambda_T| < mu lambda_N"],
    ];
    assert_eq!(body(&mode_table()), expected);
}

#[test]
fn table_2_consistent_modes() {
    let table = consistency_table();
    let names: Vec<&str> = table.rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(names[1], "(ii) b > 0, p+ > 0, p- < 0");
    assert_eq!(names[5], "(vi) b < 0, p+ < 0, p- > 0");
    let expected = vec![
        vec!["F", "F", "F"],
        vec!["F", "F if sigma- < 0, or (F and N and T) if sigma- > 0", "F and N"],
        vec!["F and P", "F if sigma+ > 0, or (F and P and T) if sigma+ < 0", "F"],
        vec!["P", "P if sigma+ > 0, or N if sigma- < 0, or T if sigma+ < 0 < sigma-", "N"],
        vec!["P", "P if sigma+ > 0, or T if sigma+ < 0", "-"],
        vec!["-", "N if sigma- < 0, or T if sigma- > 0", "N"],
    ];
    assert_eq!(body(&table), expected);
}

#[test]
fn table_3_after_stability_and_impact() {
    let expected = vec![
        vec!["F", "F", "F"],
        vec!["F", "F if sigma- < 0, or (F and T) if sigma- > 0", "F and IWC"],
        vec!["F and IWC", "F if sigma+ > 0, or (F and T) if sigma+ < 0", "F"],
        vec!["P", "P if sigma+ > 0, or N if sigma- < 0, or T if sigma+ < 0 < sigma-", "N"],
        vec!["P", "P if sigma+ > 0, or T if sigma+ < 0", "IWC"],
        vec!["IWC", "N if sigma- < 0, or T if sigma- > 0", "N"],
    ];
    assert_eq!(body(&resolution_table()), expected);
}
