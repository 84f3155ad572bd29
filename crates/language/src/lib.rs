//! Texts of a mechanism file, without mechanics: [`expression`] makes checked trees of them, [`diag`] says what is wrong, where, and what to type
//! instead.
#![doc = include_str!("../README.md")]

use mechan_num as num;

pub mod diag;

pub mod expression;
