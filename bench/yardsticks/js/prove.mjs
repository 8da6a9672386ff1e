// usage: node prove.mjs KEY.zkey VERIFICATION_KEY.json WITNESS.wtns PROOF.json: snarkjs, from files to a checked proof on disk. The
// packages are those of tests/judges.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../../tests/judges/package.json', import.meta.url));
const snarkjs = require('snarkjs');

const [zkey, vkFile, wtns, out] = process.argv.slice(2);
const start = performance.now();
const report = (name) => console.log(JSON.stringify({ name, seconds: (performance.now() - start) / 1000, n: 0, threads: 0 }));
const { proof, publicSignals } = await snarkjs.groth16.prove(zkey, wtns);
report('prove/proof');
const vk = JSON.parse(fs.readFileSync(vkFile, 'utf8'));
if (!(await snarkjs.groth16.verify(vk, publicSignals, proof))) throw new Error('the proof does not verify');
fs.writeFileSync(out, JSON.stringify(proof));
report('prove/whole');
process.exit(0);
