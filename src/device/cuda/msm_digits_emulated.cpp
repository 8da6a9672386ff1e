#include "device/cuda/msm_digits.cu"
