// usage: node make_snarkjs_zkey.mjs FOLDER: a key made by snarkjs's own ceremony (2^11, phases 1 and 2 with fixed entropy) for the
// Poseidon circuit. Made tests/data/snarkjs: FOLDER/poseidon.{r1cs,wtns,zkey} and verification_key.json. Takes two minutes.
import fs from 'node:fs';
import path from 'node:path';
import * as snarkjs from 'snarkjs';
import { build, writeJson } from './lib.mjs';

const directory = path.resolve(process.argv[2]);
const file = (name) => path.join(directory, name);
const { r1cs } = await build('poseidon', directory);
const curve = await snarkjs.curves.getCurveFromName('bls12-381');
await snarkjs.powersOfTau.newAccumulator(curve, 11, file('0.ptau'));
await snarkjs.powersOfTau.contribute(file('0.ptau'), file('1.ptau'), 'first', 'cuzk tests, phase 1');
await snarkjs.powersOfTau.preparePhase2(file('1.ptau'), file('2.ptau'));
await snarkjs.zKey.newZKey(r1cs, file('2.ptau'), file('0.zkey'));
await snarkjs.zKey.contribute(file('0.zkey'), file('poseidon.zkey'), 'second', 'cuzk tests, phase 2');
writeJson(file('verification_key.json'), await snarkjs.zKey.exportVerificationKey(file('poseidon.zkey')));
for (const name of ['0.ptau', '1.ptau', '2.ptau', '0.zkey', 'poseidon_js']) fs.rmSync(file(name), { recursive: true });
process.exit(0);
