pragma circom 2.0.0;

include "circomlib/circuits/sha256/sha256.circom";

// SHA-256 of 512 bits: two compressions, the second of the padding.
component main = Sha256(512);
