//! A circuit of explicit rows from circom's .r1cs and .wtns files.
use std::{collections::HashMap, fs, path::Path};

use bellperson::{Circuit, ConstraintSystem, Index, LinearCombination, SynthesisError, Variable};
use blstrs::Scalar;
use ff::PrimeField;

use crate::AnyResult;

pub type Row = Vec<(u32, Scalar)>;

pub struct RowCircuit {
    rows: Vec<[Row; 3]>,
    public: usize,
    wires: usize,
    witness: Option<Vec<Scalar>>,
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

fn u64_at(bytes: &[u8], at: usize) -> usize {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize
}

fn scalar_at(bytes: &[u8], at: usize) -> Scalar {
    Scalar::from_repr(bytes[at..at + 32].try_into().unwrap()).unwrap()
}

/// The sections of iden3's binary container: type -> contents.
fn sections(bytes: &[u8]) -> HashMap<usize, &[u8]> {
    let mut at = 12;
    let mut found = HashMap::new();
    for _ in 0..u32_at(bytes, 8) {
        let (kind, size) = (u32_at(bytes, at), u64_at(bytes, at + 4));
        found.insert(kind, &bytes[at + 12..at + 12 + size]);
        at += 12 + size;
    }
    found
}

impl RowCircuit {
    pub fn read(r1cs: &Path, wtns: Option<&Path>) -> AnyResult<Self> {
        let bytes = fs::read(r1cs)?;
        let sections_r1cs = sections(&bytes);
        let (header, body) = (sections_r1cs[&1], sections_r1cs[&2]);
        let wires = u32_at(header, 36);
        let public = u32_at(header, 40) + u32_at(header, 44);
        let mut rows = Vec::with_capacity(u32_at(header, 60));
        let mut at = 0;
        for _ in 0..u32_at(header, 60) {
            rows.push([0, 1, 2].map(|_| {
                let terms = u32_at(body, at);
                let row = (0..terms)
                    .map(|i| (u32_at(body, at + 4 + 36 * i) as u32, scalar_at(body, at + 8 + 36 * i)))
                    .collect();
                at += 4 + 36 * terms;
                row
            }));
        }
        let witness = match wtns {
            None => None,
            Some(path) => {
                let bytes = fs::read(path)?;
                let values = sections(&bytes)[&2];
                Some((0..values.len() / 32).map(|i| scalar_at(values, 32 * i)).collect())
            }
        };
        Ok(RowCircuit { rows, public, wires, witness })
    }

    pub fn public_inputs(&self) -> Vec<Scalar> {
        self.witness.as_ref().unwrap()[1..=self.public].to_vec()
    }
}

impl Circuit<Scalar> for RowCircuit {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let witness = &self.witness;
        let value = |i: usize| witness.as_ref().map(|w| w[i]).ok_or(SynthesisError::AssignmentMissing);
        for i in 1..=self.public {
            cs.alloc_input(|| "", || value(i))?;
        }
        for i in self.public + 1..self.wires {
            cs.alloc(|| "", || value(i))?;
        }
        let combine = |row: &Row| {
            row.iter().fold(LinearCombination::zero(), |sum, (wire, coefficient)| {
                let wire = *wire as usize;
                let index = if wire <= self.public { Index::Input(wire) } else { Index::Aux(wire - self.public - 1) };
                sum + (*coefficient, Variable::new_unchecked(index))
            })
        };
        for [a, b, c] in &self.rows {
            cs.enforce(|| "", |_| combine(a), |_| combine(b), |_| combine(c));
        }
        Ok(())
    }
}
