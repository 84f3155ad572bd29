//! Names of schemes.

use mechan::stepping::SchemeName;

#[test]
fn every_scheme_is_read_as_it_is_written() {
    for scheme in SchemeName::ALL {
        assert_eq!(scheme.word().parse(), Ok(scheme));
    }
    assert!("moreaux".parse::<SchemeName>().unwrap_err().to_string().contains("moreaux"));
}
