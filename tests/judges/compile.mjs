// usage: node compile.mjs CIRCUIT FOLDER: compiles circuits/CIRCUIT.circom with --prime bls12381 and writes FOLDER/CIRCUIT.r1cs and
// .wtns (quickstart.sh and the benchmarks use it).
import path from 'node:path';
import { build, inputs } from './lib.mjs';

const [name, directory] = process.argv.slice(2);
if (!(name in inputs) || !directory) {
  console.error(`usage: node compile.mjs (${Object.keys(inputs).join(' | ')}) FOLDER`);
  process.exit(2);
}
await build(name, path.resolve(directory));
process.exit(0);
