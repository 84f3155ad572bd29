//! What a mechanism with contacts and friction can do: questions about its states, time steps, many bodies, motions.
//!
//! Imports go only up this list: [`stepping`] makes the contact problem of a mechanism's next step, [`scene`] that of many bodies,
//! [`analysis`] asks about a mechanism's states, [`simulate`] follows its motions.
#![doc = include_str!("../README.md")]

use mechan_contact::{answer, contact, coulomb, enumerate, existence, linear};
use mechan_engine::{equilibrium, impact, predict};
use mechan_language::{diag, expression};
use mechan_mechanism::{format, model};
use mechan_num as num;
use mechan_tape as tape;

pub mod stepping;

pub mod scene;

pub mod analysis;

pub mod simulate;
