#include "device/cuda/ntt_dif.cu"
