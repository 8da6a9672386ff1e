//! Yardsticks from published Rust packages: blst's field arithmetic, Pippenger and pairing; bellperson's setup and proof.
//! One JSON line a measurement. Run by bench/compare.py.
mod circuit;
mod kernels;

use std::{env, fs::File, io::BufWriter, io::Write, path::Path, time::Instant};

use bellperson::groth16::{
    create_proof, create_random_proof, generate_parameters, generate_random_parameters,
    prepare_verifying_key, verify_proof, Parameters,
};
use blstrs::{Bls12, G1Projective, G2Projective, Scalar};
use ff::PrimeField;
use group::Group;
use rand_core::OsRng;

type AnyResult<T> = Result<T, Box<dyn std::error::Error>>;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["field"] => Ok(kernels::field()),
        ["pairing"] => Ok(kernels::pairing()),
        ["msm", log2] => Ok(kernels::msm_g1(log2.parse().expect("a number"))),
        ["setup", r1cs, params, rest @ ..] => setup(r1cs, params, rest),
        ["prove", params, r1cs, wtns, out, rest @ ..] => prove(params, r1cs, wtns, out, rest),
        _ => Err("usage: yardstick field | pairing | msm LOG2N | setup R1CS PARAMS [ALPHA BETA GAMMA DELTA TAU] | prove PARAMS R1CS WTNS PROOF [R S] (big-endian hex)".into()),
    };
    if let Err(error) = outcome {
        eprintln!("{error}");
        std::process::exit(2);
    }
}

fn scalar(hex: &str) -> AnyResult<Scalar> {
    let digits = format!("{:0>64}", hex.trim_start_matches("0x"));
    let mut bytes = [0u8; 32];
    for (i, byte) in bytes.iter_mut().rev().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * i..2 * i + 2], 16)?;
    }
    Option::from(Scalar::from_repr(bytes)).ok_or_else(|| "not below the modulus".into())
}

/// `r1cs` to a bellperson parameter file.
fn setup(r1cs: &str, out: &str, secrets: &[&str]) -> AnyResult<()> {
    let start = Instant::now();
    let circuit = circuit::RowCircuit::read(Path::new(r1cs), None)?;
    let generate = Instant::now();
    let params: Parameters<Bls12> = if secrets.len() == 5 {
        let [alpha, beta, gamma, delta, tau] = [0, 1, 2, 3, 4].map(|i| scalar(secrets[i]).unwrap());
        let (g1, g2) = (G1Projective::generator(), G2Projective::generator());
        generate_parameters(circuit, g1, g2, alpha, beta, gamma, delta, tau)?
    } else {
        generate_random_parameters(circuit, &mut OsRng)?
    };
    kernels::report("setup/generate", generate.elapsed().as_secs_f64(), 0, 0);
    let mut file = BufWriter::with_capacity(1 << 20, File::create(out)?);
    params.write(&mut file)?;
    file.flush()?;
    kernels::report("setup/whole", start.elapsed().as_secs_f64(), 0, 0);
    Ok(())
}

/// From files to a checked proof on disk; the key's points are not checked.
fn prove(params: &str, r1cs: &str, wtns: &str, out: &str, blinding: &[&str]) -> AnyResult<()> {
    let start = Instant::now();
    let circuit = circuit::RowCircuit::read(Path::new(r1cs), Some(Path::new(wtns)))?;
    let inputs = circuit.public_inputs();
    kernels::report("prove/circuit", start.elapsed().as_secs_f64(), 0, 0);
    // MappedParameters, which decodes points when the proof asks for them, takes as long.
    let map = unsafe { memmap2::Mmap::map(&File::open(params)?)? };
    let params = Parameters::<Bls12>::read_mmap(&map, false)?;
    kernels::report("prove/key", start.elapsed().as_secs_f64(), 0, 0);
    let proof = if blinding.len() == 2 {
        create_proof(circuit, &params, scalar(blinding[0])?, scalar(blinding[1])?)?
    } else {
        create_random_proof(circuit, &params, &mut OsRng)?
    };
    kernels::report("prove/proof", start.elapsed().as_secs_f64(), 0, 0);
    if !verify_proof(&prepare_verifying_key(&params.vk), &proof, &inputs)? {
        return Err("the proof does not verify".into());
    }
    let mut file = BufWriter::new(File::create(out)?);
    proof.write(&mut file)?;
    file.flush()?;
    kernels::report("prove/whole", start.elapsed().as_secs_f64(), 0, 0);
    Ok(())
}
