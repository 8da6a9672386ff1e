pragma circom 2.0.0;

include "circomlib/circuits/poseidon.circom";

// circomlib's constants are meant for bn254; over bls12381 it is no hash to use, but a circuit like any other.
component main {public [inputs]} = Poseidon(2);
