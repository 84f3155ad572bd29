//! Maps, ensembles and event capturing.
