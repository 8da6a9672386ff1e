// usage: node verify.mjs VERIFICATION_KEY.json PUBLIC.json PROOF.json: snarkjs's answer; exit status 0 when it takes the proof.
import { readJson, snark } from './lib.mjs';

const [vk, signals, proof] = process.argv.slice(2).map(readJson);
const accepted = await snark.verify(vk, signals, proof);
console.log(accepted ? 'snarkjs: the proof is valid' : 'snarkjs: the proof is NOT valid');
process.exit(accepted ? 0 : 1);
