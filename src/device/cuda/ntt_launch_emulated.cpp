#include "device/cuda/ntt_launch.cu"
