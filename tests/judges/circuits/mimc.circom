pragma circom 2.0.0;

include "circomlib/circuits/mimcsponge.circom";

component main = MiMCSponge(2, 220, 1);
