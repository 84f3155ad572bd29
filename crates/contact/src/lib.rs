//! The contact problem with Coulomb friction, without mechanisms.
//!
//! Imports go only up this list: [`num`] and [`nearest`] carry the rest; [`linear`] has matrices and factorisations, [`contact`] the laws
//! of one contact, [`coulomb`] the problem of many with its solvers and files, [`enumerate`] all its solutions, [`existence`] its
//! proofs, [`answer`] what follows from the three.
#![doc = include_str!("../README.md")]

pub use mechan_num::{self as num, nearest};

pub mod linear;

pub mod contact;

pub mod coulomb;

pub mod enumerate;

pub mod existence;

pub mod answer;
