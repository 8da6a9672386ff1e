// usage: node make_noble_vectors.mjs > ../data/noble/bls12-381.txt
// Vectors from @noble/curves, a second implementation of BLS12-381, for tests/noble_test.cpp. One case a line: operation, operands,
// result; hex, big-endian; an Fp2 element is c0 c1, a point its uncompressed encoding (zcash's), a pairing its twelve
// coefficients over 1, v, v² (pairs c0 c1 over 1, u) and then the same times w. Values are edge values and pseudo-random ones with a fixed seed.
import { createHash } from 'node:crypto';
import { bls12_381 as bls } from '@noble/curves/bls12-381';

const { Fp, Fp2, Fp12, Fr } = bls.fields;
const G1 = bls.G1.ProjectivePoint ?? bls.G1.Point;
const G2 = bls.G2.ProjectivePoint ?? bls.G2.Point;

let counter = 0;
function random(modulus) {
  const block = (i) => createHash('sha256').update(`cuzk ${counter} ${i}`).digest('hex');
  counter++;
  return BigInt(`0x${block(0)}${block(1)}`) % modulus;
}

const hex = (value, bytes) => value.toString(16).padStart(2 * bytes, '0');
const fp = (value) => hex(value, 48);
const fr = (value) => hex(value, 32);
const fp2 = (value) => `${fp(value.c0)} ${fp(value.c1)}`;
const point = (value) => value.toHex(false);
const say = (...words) => console.log(words.join(' '));

function field(name, F, show, bytes) {
  const p = F.ORDER;
  const montgomery = (1n << BigInt(8 * bytes)) % p;
  const edge = [0n, 1n, 2n, p - 1n, p - 2n, (p - 1n) / 2n, (p + 1n) / 2n, montgomery, p - montgomery, (1n << 64n) - 1n, (1n << 128n) - 1n, (1n << 192n) - 1n];
  const values = [...edge, ...Array.from({ length: 12 }, () => random(p))];
  for (const a of values) {
    for (const b of [a, ...edge.slice(0, 5), random(p)]) say(`${name}_mul`, show(a), show(b), show(F.mul(a, b)));
    say(`${name}_add`, show(a), show(values[3]), show(F.add(a, values[3])));
    say(`${name}_sub`, show(values[1]), show(a), show(F.sub(values[1], a)));
    if (a !== 0n) say(`${name}_inv`, show(a), show(F.inv(a)));
  }
}

field('fp', Fp, fp, 48);
field('fr', Fr, fr, 32);

const p = Fp.ORDER;
const parts = [0n, 1n, p - 1n, random(p), random(p)];
const pairs = parts.flatMap((c0) => parts.map((c1) => ({ c0, c1 })));
for (const a of pairs) {
  const b = { c0: random(p), c1: random(p) };
  say('fp2_mul', fp2(a), fp2(b), fp2(Fp2.mul(a, b)));
  say('fp2_mul', fp2(a), fp2(pairs[7]), fp2(Fp2.mul(a, pairs[7])));
  say('fp2_sqr', fp2(a), fp2(Fp2.sqr(a)));
  if (a.c0 !== 0n || a.c1 !== 0n) say('fp2_inv', fp2(a), fp2(Fp2.inv(a)));
}

for (const [name, G] of [['g1', G1], ['g2', G2]]) {
  const r = Fr.ORDER;
  const zero = G.ZERO;
  const points = [G.BASE, G.BASE.double(), G.BASE.negate(), ...Array.from({ length: 5 }, () => G.BASE.multiply(random(r)))];
  for (const P of [zero, ...points]) {
    say(`${name}_encode`, point(P), P.toHex(true));
    for (const Q of [zero, P, P.negate(), points[3], points[4]]) say(`${name}_add`, point(P), point(Q), point(P.add(Q)));
    for (const k of [0n, 1n, 2n, r - 1n, (1n << 64n) - 1n, (1n << 128n) + 1n, random(r), random(r)]) {
      const product = k === 0n || P.equals(zero) ? zero : P.multiply(k);
      say(`${name}_mul`, point(P), fr(k), point(product));
    }
  }
}

function pairing(P, Q) {
  const value = bls.pairing(P, Q);
  const six = (e) => [e.c0, e.c1, e.c2].map(fp2).join(' ');
  say('pairing', point(P), point(Q), six(value.c0), six(value.c1));
}
pairing(G1.BASE, G2.BASE);
pairing(G1.BASE.negate(), G2.BASE);
for (let i = 0; i < 4; i++) pairing(G1.BASE.multiply(random(Fr.ORDER)), G2.BASE.multiply(random(Fr.ORDER)));
