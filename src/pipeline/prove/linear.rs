//! Linear systems on a tape by Cramer's rule: signs of unknowns without a division.
#![allow(non_snake_case)]

use super::terms::Terms;
use crate::prove::Formula;
use crate::tape::Value;
use std::collections::BTreeMap;

/// A square system: its determinant, and each unknown times it.
pub(super) struct Solved {
    pub(super) determinant: Value,
    pub(super) unknowns: Vec<Value>,
}

impl Terms<'_> {
    /// A x = b.
    pub(super) fn solved(&mut self, A: &[Vec<Value>], b: &[Value]) -> Solved {
        let replaced = |column: usize| -> Vec<Vec<Value>> {
            let row = |(row, &right): (&Vec<Value>, &Value)| {
                let mut row = row.clone();
                row[column] = right;
                row
            };
            A.iter().zip(b).map(row).collect()
        };
        let unknowns = (0..b.len()).map(|column| self.determinant(&replaced(column))).collect();
        Solved { determinant: self.determinant(A), unknowns }
    }

    /// By the first row; zeros cost nothing, and minors of the same columns are computed once.
    pub(super) fn determinant(&mut self, A: &[Vec<Value>]) -> Value {
        let columns: Vec<usize> = (0..A.len()).collect();
        self.minor(A, &columns, &mut BTreeMap::new())
    }

    fn minor(
        &mut self,
        rows: &[Vec<Value>],
        columns: &[usize],
        known: &mut BTreeMap<Vec<usize>, Value>,
    ) -> Value {
        let Some((first, rest)) = rows.split_first() else { return self.quantities.builder().constant(1.0) };
        if let Some(&found) = known.get(columns) {
            return found;
        }
        let mut sum = self.quantities.builder().constant(0.0);
        for (place, &column) in columns.iter().enumerate() {
            if self.quantities.builder().as_constant(first[column]) == Some(0.0) {
                continue;
            }
            let without = [&columns[..place], &columns[place + 1..]].concat();
            let minor = self.minor(rest, &without, known);
            let builder = self.quantities.builder();
            let term = builder.mul(first[column], minor);
            sum = if place % 2 == 0 { builder.add(sum, term) } else { builder.sub(sum, term) };
        }
        known.insert(columns.to_vec(), sum);
        sum
    }

    /// That all values have the sign of a determinant, which is not zero.
    pub(super) fn with_sign_of(&mut self, determinant: Value, values: &[Value]) -> Formula {
        let all: Vec<Value> = std::iter::once(determinant).chain(values.iter().copied()).collect();
        let forth = Formula::All(all.iter().map(|&value| self.positive(value)).collect());
        let back = Formula::All(all.iter().map(|&value| self.negative(value)).collect());
        Formula::Any(vec![forth, back])
    }

    /// That a determinant and some values are of both signs. What they are times the determinant cannot all be positive then: if it is zero, no
    /// unknowns solve the system.
    pub(super) fn of_both_signs(&mut self, determinant: Value, values: &[Value]) -> Formula {
        let all: Vec<Value> = std::iter::once(determinant).chain(values.iter().copied()).collect();
        let above = all.iter().map(|&value| self.positive(value)).collect();
        let below = all.iter().map(|&value| self.negative(value)).collect();
        Formula::All(vec![Formula::Any(above), Formula::Any(below)])
    }

    pub(super) fn negative(&mut self, value: Value) -> Formula {
        let against = self.quantities.builder().neg(value);
        self.positive(against)
    }

    /// What is true where a formula is not.
    pub(super) fn not(&mut self, formula: &Formula) -> Formula {
        match formula {
            Formula::Positive(i) => {
                let against = self.against(*i);
                Formula::NonNegative(against)
            }
            Formula::NonNegative(i) => {
                let against = self.against(*i);
                Formula::Positive(against)
            }
            Formula::All(parts) => Formula::Any(parts.iter().map(|part| self.not(part)).collect()),
            Formula::Any(parts) => Formula::All(parts.iter().map(|part| self.not(part)).collect()),
        }
    }
}
