// A key from snarkjs's own ceremony (tests/data/snarkjs): cuzk reads it, proves with it, and snarkjs verifies.
import assert from 'node:assert';
import path from 'node:path';
import { expectStatus, here, readJson, scratch, snark } from './lib.mjs';

const directory = scratch('snarkjs_setup');
const file = (name) => path.join(directory, name);
const data = (name) => path.join(here, '../data/snarkjs', name);
const vk = readJson(data('verification_key.json'));

expectStatus(0, 'inspect', data('poseidon.zkey'), '--check');
expectStatus(0, 'convert', data('poseidon.zkey'), file('verification_key.json'));
const ours = readJson(file('verification_key.json'));
for (const field of ['protocol', 'curve', 'nPublic', 'vk_alpha_1', 'vk_beta_2', 'vk_gamma_2', 'vk_delta_2', 'IC']) {
  assert.deepStrictEqual(ours[field], vk[field], `verification key, ${field}`);
}

expectStatus(0, 'convert', data('poseidon.zkey'), file('key.params'));
for (const key of [
  ['--zkey', data('poseidon.zkey')],
  ['--zkey', data('poseidon.zkey'), '--r1cs', data('poseidon.r1cs')],
  ['--params', file('key.params'), '--r1cs', data('poseidon.r1cs')],
]) {
  expectStatus(0, 'prove', ...key, '--witness', data('poseidon.wtns'), '--out', file('proof.json'), '--public', file('public.json'), '--check', 'full');
  const accepted = await snark.verify(vk, readJson(file('public.json')), readJson(file('proof.json')));
  assert.strictEqual(accepted, true, `snarkjs refuses the proof made with ${key.join(' ')}`);
}
console.log('snarkjs setup: proofs with its key verified by snarkjs');
process.exit(0);
