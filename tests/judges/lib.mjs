// What the judges' scripts share: circuits compiled by circom2, witnesses, snarkjs, and runs of the cuzk program.
import assert from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as snarkjs from 'snarkjs';

export const here = path.dirname(fileURLToPath(import.meta.url));
export const snark = snarkjs.groth16;

const bits = (hex) => [...Buffer.from(hex, 'hex')].flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((i) => (byte >> i) & 1));

/** Circuits of circuits/, each with inputs that satisfy it. */
export const inputs = {
  multiplier: { a: '123456789', b: '987654321' },
  poseidon: { inputs: ['1', '2'] },
  mimc: { ins: ['3', '4'], k: '5' },
  sha256: { in: bits('42'.repeat(64)) },
};

/** Compiles circuits/NAME.circom for bls12381 and computes its witness; returns the paths of both. */
export async function build(name, directory) {
  fs.mkdirSync(directory, { recursive: true });
  const relative = (file) => path.relative(here, file);
  execFileSync(
    process.execPath,
    ['node_modules/circom2/cli.js', `circuits/${name}.circom`, '--prime', 'bls12381', '--r1cs', '--wasm', '-l', 'node_modules', '-o', relative(directory)],
    { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] });
  const r1cs = path.join(directory, `${name}.r1cs`);
  const wtns = path.join(directory, `${name}.wtns`);
  await snarkjs.wtns.calculate(inputs[name], path.join(directory, `${name}_js`, `${name}.wasm`), wtns);
  return { r1cs, wtns };
}

export const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
export const writeJson = (file, value) => fs.writeFileSync(file, JSON.stringify(value, null, 1));

/** Runs cuzk and returns {status, stdout, stderr}. */
export function cuzk(...args) {
  const binary = process.env.CUZK ?? path.join(here, '../../build/release/bin/cuzk');
  const run = spawnSync(binary, args, { encoding: 'utf8' });
  if (run.error) throw run.error;
  return run;
}

/** Runs cuzk and expects the exit status. */
export function expectStatus(status, ...args) {
  const run = cuzk(...args);
  assert.strictEqual(run.status, status, `cuzk ${args.join(' ')}\n${run.stdout}${run.stderr}`);
  return run;
}

/** A folder of its own under the build tree, empty. */
export function scratch(name) {
  const directory = path.join(process.env.CUZK_SCRATCH ?? path.join(here, '../../build/judges'), name);
  fs.rmSync(directory, { recursive: true, force: true });
  fs.mkdirSync(directory, { recursive: true });
  return directory;
}
