//! Laws that hold for every contact, checked on random ones.
#![allow(non_snake_case, clippy::unwrap_used)]

mod chatter;
mod contacts;
mod impact;
mod modes;
