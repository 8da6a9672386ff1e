//! blst through its C interface, one thread.
use std::{hint::black_box, ptr, time::Instant};

use blst::*;

pub fn report(name: &str, seconds: f64, n: usize, threads: usize) {
    println!("{{\"name\": \"{name}\", \"seconds\": {seconds:.6}, \"n\": {n}, \"threads\": {threads}}}");
}

fn report_ns(name: &str, ns: f64) {
    println!("{{\"name\": \"{name}\", \"ns\": {ns:.3}, \"n\": 1, \"threads\": 1}}");
}

/// splitmix64: the values only have to look random.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.next() as u8)
    }
}

/// Median nanoseconds of one of `count` operations that `work` does, over seven runs.
fn median_ns(count: usize, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..7)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e9 / count as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[3]
}

const CHAINS: usize = 8;
const STEPS: usize = 250_000;

macro_rules! multiplication {
    ($name:literal, $mul:ident, $value:expr) => {
        let mut x = $value;
        let y = $value;
        let ns = median_ns(STEPS, || {
            for _ in 0..STEPS {
                unsafe { $mul(&mut x, &x, &y) };
            }
        });
        black_box(&x);
        report_ns(concat!($name, "_mul_latency"), ns);
        let mut xs: [_; CHAINS] = std::array::from_fn(|_| $value);
        let ns = median_ns(STEPS * CHAINS, || {
            for _ in 0..STEPS {
                for x in xs.iter_mut() {
                    unsafe { $mul(x, x, &y) };
                }
            }
        });
        black_box(&xs);
        report_ns(concat!($name, "_mul_throughput"), ns);
    };
}

pub fn field() {
    let mut random = Random(1);
    multiplication!("fp", blst_fp_mul, {
        let mut value = blst_fp::default();
        unsafe { blst_fp_from_lendian(&mut value, random.bytes::<47>().iter().chain(&[0u8]).copied().collect::<Vec<_>>().as_ptr()) };
        value
    });
    multiplication!("fr", blst_fr_mul, {
        let mut scalar = blst_scalar::default();
        let mut value = blst_fr::default();
        unsafe {
            blst_scalar_from_le_bytes(&mut scalar, random.bytes::<31>().as_ptr(), 31);
            blst_fr_from_scalar(&mut value, &scalar);
        };
        value
    });
}

fn points(count: usize) -> Vec<blst_p1_affine> {
    let mut projective = vec![blst_p1::default(); count];
    let mut affine = vec![blst_p1_affine::default(); count];
    unsafe {
        let generator = blst_p1_generator();
        let mut step = blst_p1::default();
        blst_p1_mult(&mut step, generator, Random(2).bytes::<32>().as_ptr(), 250);
        projective[0] = step;
        for i in 1..count {
            blst_p1_add_or_double(&mut projective[i], &projective[i - 1], &step);
        }
        blst_p1s_to_affine(affine.as_mut_ptr(), [projective.as_ptr(), ptr::null()].as_ptr(), count);
    }
    affine
}

pub fn msm_g1(log2: u32) {
    let count = 1usize << log2;
    let points = points(count);
    let mut random = Random(3);
    let mut scalars = vec![0u8; 32 * count];
    for scalar in scalars.chunks_exact_mut(32) {
        scalar.copy_from_slice(&random.bytes::<32>());
        scalar[31] &= 0x7f;
    }
    let mut scratch = vec![0u64; unsafe { blst_p1s_mult_pippenger_scratch_sizeof(count) } / 8];
    let mut result = blst_p1::default();
    let start = Instant::now();
    unsafe {
        blst_p1s_mult_pippenger(
            &mut result,
            [points.as_ptr(), ptr::null()].as_ptr(),
            count,
            [scalars.as_ptr(), ptr::null()].as_ptr(),
            255,
            scratch.as_mut_ptr(),
        )
    };
    report("msm_g1", start.elapsed().as_secs_f64(), count, 1);
    black_box(result);
}

pub fn pairing() {
    let (mut product, mut result) = (blst_fp12::default(), blst_fp12::default());
    let ns = median_ns(100, || unsafe {
        for _ in 0..100 {
            blst_miller_loop(&mut product, blst_p2_affine_generator(), blst_p1_affine_generator());
            blst_final_exp(&mut result, &product);
        }
    });
    black_box(result);
    report("pairing", ns * 1e-9, 1, 1);
}
