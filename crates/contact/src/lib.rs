//! The contact problem with Coulomb friction, without mechanisms.
//!
//! Contacts with a Delassus operator `W`, free velocities `q` and coefficients of friction `mu` ask for impulses: 0 ≤ r_N ⊥ u_N ≥ 0
//! and Coulomb's law, with u = W r + q.
//!
//! # Rooms
//!
//! Imports go only up this list: [`num`] and [`nearest`] carry the rest; [`linear`] has matrices and factorisations, [`contact`] the laws
//! of one contact, [`coulomb`] the problem of many with its solvers and files, [`enumerate`] all its solutions, [`existence`] its
//! proofs, [`answer`] what follows from the three.

pub mod num;

pub mod nearest;

pub mod linear;

pub mod contact;

pub mod coulomb;

pub mod enumerate;

pub mod existence;

pub mod answer;
