//! What closed contacts with Coulomb friction can do next, on numbers: the engine that `mechan` asks about mechanisms.
//!
//! Imports go only up this list: [`predict`] has all motions that the contact laws allow, and which of them last; [`impact`] has
//! collisions, of one contact and of several; [`equilibrium`] what becomes of contacts at rest.
#![doc = include_str!("../README.md")]
#![allow(non_snake_case)]

use mechan_contact::{answer, contact, coulomb, enumerate};
use mechan_num as num;

pub mod predict;

pub mod impact;

pub mod equilibrium;
