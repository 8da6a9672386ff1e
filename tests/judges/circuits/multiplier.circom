pragma circom 2.0.0;

// c = a·b, d = a·b + a: the smallest circuit with a public input and two outputs.
template Multiplier() {
    signal input a;
    signal input b;
    signal output c;
    signal output d;
    c <== a * b;
    d <== c + a;
}

component main {public [a]} = Multiplier();
