//! Lets the published Filecoin crates read, check, prove and verify what `cuzk gen` and `cuzk prove` write.
//!
//! filecoin_judge read KIND INPUT STATEMENT           reads the input, writes it again (the bytes must be the same), checks it
//! filecoin_judge prove KIND INPUT STATEMENT PROOF    proves it with the keys in FIL_PROOFS_PARAMETER_CACHE
//! filecoin_judge verify KIND STATEMENT PROOF         verifies a proof with them
//!
//! KIND: porep, winning, window, snap. STATEMENT: what `gen` writes beside an input, INPUT.public.json.
use std::collections::BTreeMap;
use std::convert::TryInto;
use std::{env, fs, process};

use anyhow::{anyhow, bail, ensure, Context, Result};
use filecoin_hashers::{poseidon::PoseidonHasher, Domain, Hasher};
use filecoin_proofs::parameters::{setup_params, window_post_setup_params, winning_post_setup_params};
use filecoin_proofs::types::VanillaSealProof as RawSealProof;
use filecoin_proofs::{
    partition_vanilla_proofs, with_shape, DefaultPieceHasher, FallbackPoStSectorProof, MerkleTreeTrait, PartitionProof, PoStType,
};
use filecoin_proofs_api::seal::{seal_commit_phase2, verify_seal, SealCommitPhase1Output};
use filecoin_proofs_api::update::{
    generate_empty_sector_update_proof_with_vanilla, verify_empty_sector_update_proof, verify_partition_proofs,
};
use filecoin_proofs_api::{post, PartitionProofBytes, PublicReplicaInfo, RegisteredPoStProof, RegisteredSealProof, RegisteredUpdateProof};
use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_json::Value;
use storage_proofs_core::proof::ProofScheme;
use storage_proofs_porep::stacked::{self, StackedDrg, Tau};
use storage_proofs_post::fallback::{self, FallbackPoSt};

/// The statement's fields.
struct Statement(Value);

impl Statement {
    fn text(&self, name: &str) -> Result<&str> {
        self.0[name].as_str().with_context(|| format!("{name}: no text"))
    }
    fn number(&self, name: &str) -> Result<u64> {
        self.0[name].as_u64().with_context(|| format!("{name}: no number"))
    }
    fn bytes32(&self, name: &str) -> Result<[u8; 32]> {
        bytes32(&self.0[name])
    }
    /// A proof type by its name in the crate.
    fn registered<T: DeserializeOwned>(&self, prefix: &str, suffix: &str) -> Result<T> {
        let size = match self.number("sector_size")? {
            s if s < 1 << 20 => format!("{}KiB", s >> 10),
            s if s < 1 << 30 => format!("{}MiB", s >> 20),
            s => format!("{}GiB", s >> 30),
        };
        Ok(serde_json::from_value(Value::String(format!("StackedDrg{prefix}{size}V1{suffix}")))?)
    }
    fn post(&self, kind: &str) -> Result<RegisteredPoStProof> {
        match (kind, self.text("api")?) {
            ("winning", _) => self.registered("Winning", ""),
            (_, "1.2") | (_, "1.2.0") => self.registered("Window", "_2"),
            _ => self.registered("Window", ""),
        }
    }
    fn update(&self) -> Result<RegisteredUpdateProof> {
        self.registered("", "")
    }
    fn seal(&self) -> Result<RegisteredSealProof> {
        Ok(serde_json::from_value(self.0["registered_proof"].clone())?)
    }
}

fn bytes32(value: &Value) -> Result<[u8; 32]> {
    let bytes = hex::decode(value.as_str().context("no hex")?)?;
    bytes.try_into().map_err(|_| anyhow!("not 32 bytes"))
}

/// All values of a bincode file, and each one's bytes as the crate writes them.
fn read_all<T: DeserializeOwned + Serialize>(mut file: &[u8]) -> Result<Vec<(T, Vec<u8>)>> {
    let whole = file;
    let mut values = Vec::new();
    while !file.is_empty() {
        let value: T = bincode::deserialize_from(&mut file)?;
        let bytes = bincode::serialize(&value)?;
        values.push((value, bytes));
    }
    let again: Vec<u8> = values.iter().flat_map(|(_, bytes)| bytes.iter().copied()).collect();
    ensure!(again == whole, "written again, the bytes differ");
    Ok(values)
}

fn domain<H: Hasher>(bytes: &[u8]) -> Result<H::Domain> {
    H::Domain::try_from_bytes(bytes)
}

fn check_porep<Tree: 'static + MerkleTreeTrait>(c1: SealCommitPhase1Output) -> Result<()> {
    let params = StackedDrg::<Tree, DefaultPieceHasher>::setup(&setup_params(&c1.registered_proof.as_v1_config())?)?;
    let inputs = stacked::PublicInputs {
        replica_id: domain::<Tree::Hasher>(&c1.replica_id.into_bytes())?,
        tau: Some(Tau { comm_d: domain::<DefaultPieceHasher>(&c1.comm_d)?, comm_r: domain::<Tree::Hasher>(&c1.comm_r)? }),
        k: None,
        seed: Some(c1.seed),
    };
    let proofs: Vec<Vec<RawSealProof<Tree>>> = c1.vanilla_proofs.try_into()?;
    ensure!(StackedDrg::<Tree, DefaultPieceHasher>::verify_all_partitions(&params, &inputs, &proofs)?, "the vanilla proofs do not verify");
    Ok(())
}

fn check_post<Tree: 'static + MerkleTreeTrait>(file: &[u8], kind: RegisteredPoStProof, randomness: &[u8; 32]) -> Result<()> {
    let proofs: Vec<FallbackPoStSectorProof<Tree>> = read_all(file)?.into_iter().map(|(proof, _)| proof).collect();
    let config = kind.as_v1_config();
    let params = match config.typ {
        PoStType::Winning => winning_post_setup_params(&config)?,
        PoStType::Window => window_post_setup_params(&config),
    };
    let partitions = if config.typ == PoStType::Winning { 1 } else { proofs.len().div_ceil(params.sector_count) };
    let params = FallbackPoSt::<Tree>::setup(&params)?;
    let sectors = proofs.iter().map(|p| fallback::PublicSector { id: p.sector_id, comm_r: p.comm_r }).collect();
    let inputs = fallback::PublicInputs {
        randomness: domain::<Tree::Hasher>(randomness)?,
        prover_id: domain::<Tree::Hasher>(&[0; 32])?,
        sectors,
        k: None,
    };
    partition_vanilla_proofs::<Tree>(&config, &params, &inputs, partitions, &proofs)?; // verifies them
    Ok(())
}

/// Each partition's bytes.
fn split_update<Tree: 'static + MerkleTreeTrait<Hasher = PoseidonHasher>>(file: &[u8]) -> Result<Vec<PartitionProofBytes>> {
    Ok(read_all::<PartitionProof<Tree>>(file)?.into_iter().map(|(_, bytes)| PartitionProofBytes(bytes)).collect())
}
fn split_post<Tree: 'static + MerkleTreeTrait>(file: &[u8]) -> Result<Vec<Vec<u8>>> {
    Ok(read_all::<FallbackPoStSectorProof<Tree>>(file)?.into_iter().map(|(_, bytes)| bytes).collect())
}

fn read_c1(file: &[u8]) -> Result<SealCommitPhase1Output> {
    let c1: SealCommitPhase1Output = serde_json::from_slice(file)?;
    ensure!(serde_json::to_vec(&c1)? == file.trim_ascii_end(), "written again, the bytes differ");
    Ok(c1)
}

fn read(kind: &str, file: &[u8], s: &Statement) -> Result<()> {
    let size = s.number("sector_size")?;
    match kind {
        "porep" => with_shape!(size, check_porep, read_c1(file)?),
        "winning" | "window" => with_shape!(size, check_post, file, s.post(kind)?, &s.bytes32("randomness")?),
        "snap" => {
            let partitions = with_shape!(size, split_update, file)?;
            let (old, new, data) = (s.bytes32("comm_r_old")?, s.bytes32("comm_r_new")?, s.bytes32("comm_d_new")?);
            ensure!(verify_partition_proofs(s.update()?, &partitions, old, new, data)?, "the vanilla proofs do not verify");
            Ok(())
        }
        _ => bail!("unknown kind {kind}"),
    }
}

fn prove(kind: &str, file: &[u8], s: &Statement) -> Result<Vec<u8>> {
    let size = s.number("sector_size")?;
    match kind {
        "porep" => Ok(seal_commit_phase2(read_c1(file)?, s.bytes32("prover_id")?, s.number("sector_id")?.into())?.proof),
        "winning" | "window" => {
            let proofs = with_shape!(size, split_post, file)?;
            let (registered, randomness) = (s.post(kind)?, s.bytes32("randomness")?);
            let made = if kind == "winning" {
                post::generate_winning_post_with_vanilla(registered, &randomness, [0; 32], &proofs)?
            } else {
                post::generate_window_post_with_vanilla(registered, &randomness, [0; 32], &proofs)?
            };
            Ok(made.into_iter().flat_map(|(_, proof)| proof).collect())
        }
        "snap" => {
            let partitions = with_shape!(size, split_update, file)?;
            let (old, new, data) = (s.bytes32("comm_r_old")?, s.bytes32("comm_r_new")?, s.bytes32("comm_d_new")?);
            Ok(generate_empty_sector_update_proof_with_vanilla(s.update()?, partitions, old, new, data)?.0)
        }
        _ => bail!("unknown kind {kind}"),
    }
}

fn verify(kind: &str, s: &Statement, proof: &[u8]) -> Result<bool> {
    match kind {
        "porep" => verify_seal(
            s.seal()?, s.bytes32("comm_r")?, s.bytes32("comm_d")?, s.bytes32("prover_id")?,
            s.number("sector_id")?.into(), s.bytes32("ticket")?, s.bytes32("seed")?, proof,
        ),
        "winning" | "window" => {
            let (registered, randomness) = (s.post(kind)?, s.bytes32("randomness")?);
            let mut sectors = BTreeMap::new();
            for sector in s.0["sectors"].as_array().context("sectors: no array")? {
                let id = sector["sector_id"].as_u64().context("sector_id: no number")?;
                sectors.insert(id.into(), PublicReplicaInfo::new(registered, bytes32(&sector["comm_r"])?));
            }
            if kind == "winning" {
                post::verify_winning_post(&randomness, proof, &sectors, [0; 32])
            } else {
                post::verify_window_post(&randomness, &[(registered, proof)], &sectors, [0; 32])
            }
        }
        "snap" => verify_empty_sector_update_proof(
            s.update()?, proof, s.bytes32("comm_r_old")?, s.bytes32("comm_r_new")?, s.bytes32("comm_d_new")?,
        ),
        _ => bail!("unknown kind {kind}"),
    }
}

fn main() -> Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let statement = |path: &str| -> Result<Statement> { Ok(Statement(serde_json::from_slice(&fs::read(path)?)?)) };
    match words[..] {
        ["read", kind, input, known] => read(kind, &fs::read(input)?, &statement(known)?)?,
        ["prove", kind, input, known, out] => fs::write(out, prove(kind, &fs::read(input)?, &statement(known)?)?)?,
        ["verify", kind, known, proof] => {
            if !verify(kind, &statement(known)?, &fs::read(proof)?)? {
                eprintln!("not a proof of this statement");
                process::exit(1);
            }
        }
        _ => bail!("usage: filecoin_judge read KIND INPUT STATEMENT | prove KIND INPUT STATEMENT PROOF | verify KIND STATEMENT PROOF"),
    }
    Ok(())
}
