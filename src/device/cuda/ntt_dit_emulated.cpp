#include "device/cuda/ntt_dit.cu"
