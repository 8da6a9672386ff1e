// usage: node proofs.mjs CIRCUIT: keys that cuzk makes, proofs of cuzk and of snarkjs, each verified by the other.
import assert from 'node:assert';
import path from 'node:path';
import * as snarkjs from 'snarkjs';
import { build, expectStatus, inputs, readJson, scratch, snark, writeJson } from './lib.mjs';

const name = process.argv[2];
assert(name in inputs, `no circuit ${name}`);
const directory = scratch(name);
const file = (suffix) => path.join(directory, suffix);
const { r1cs, wtns } = await build(name, directory);

/** The same public signals with one changed. */
const changed = (signals) => [String(BigInt(signals[0]) + 1n), ...signals.slice(1)];

// A key of ours in snarkjs's form.
const zkey = file('key.zkey');
expectStatus(0, 'setup', '--r1cs', r1cs, '--out', zkey);
expectStatus(0, 'convert', zkey, file('verification_key.json'));
const vk = readJson(file('verification_key.json'));
const exported = await snarkjs.zKey.exportVerificationKey(zkey);
for (const field of ['protocol', 'curve', 'nPublic', 'vk_alpha_1', 'vk_beta_2', 'vk_gamma_2', 'vk_delta_2', 'IC']) {
  assert.deepStrictEqual(vk[field], exported[field], `verification key, ${field}`);
}

// cuzk proves, snarkjs verifies.
async function judgeProof(label, key = exported) {
  const proof = readJson(file('proof.json'));
  const signals = readJson(file('public.json'));
  assert.strictEqual(signals.length, vk.nPublic);
  assert.strictEqual(await snark.verify(key, signals, proof), true, `${label}: snarkjs refuses our proof`);
  assert.strictEqual(await snark.verify(key, changed(signals), proof), false, `${label}: snarkjs takes a wrong signal`);
}
const outputs = ['--out', file('proof.json'), '--proof-bin', file('proof.bin'), '--public', file('public.json')];
expectStatus(0, 'prove', '--zkey', zkey, '--witness', wtns, ...outputs);
await judgeProof('zkey');
expectStatus(0, 'prove', '--zkey', zkey, '--r1cs', r1cs, '--witness', wtns, ...outputs);
await judgeProof('zkey and r1cs');
expectStatus(0, 'verify', '--vk', file('key.vk'), '--proof', file('proof.bin'), '--public', file('public.json'));

// A key in bellman's form, and the first key converted to it. (A Fourier transform over the group: minutes for SHA-256.)
expectStatus(0, 'setup', '--r1cs', r1cs, '--out', file('own.params'));
expectStatus(0, 'convert', file('own.vk'), file('own.json'));
expectStatus(0, 'prove', '--params', file('own.params'), '--r1cs', r1cs, '--witness', wtns, ...outputs);
await judgeProof('params', readJson(file('own.json')));
if (name !== 'sha256') {
  expectStatus(0, 'convert', zkey, file('key.params'));
  expectStatus(0, 'prove', '--params', file('key.params'), '--r1cs', r1cs, '--witness', wtns, ...outputs);
  await judgeProof('converted params');
}

// snarkjs proves with our key, cuzk verifies.
const theirs = await snark.prove(zkey, wtns);
writeJson(file('snarkjs.proof.json'), theirs.proof);
writeJson(file('snarkjs.public.json'), theirs.publicSignals);
writeJson(file('wrong.public.json'), changed(theirs.publicSignals));
for (const key of ['key.vk', 'verification_key.json']) {
  const verify = (signals) => ['verify', '--vk', file(key), '--proof', file('snarkjs.proof.json'), '--public', file(signals)];
  expectStatus(0, ...verify('snarkjs.public.json'));
  expectStatus(1, ...verify('wrong.public.json'));
}
console.log(`${name}: ${vk.nPublic} public signals, proofs of both sides verified by both`);
process.exit(0);
