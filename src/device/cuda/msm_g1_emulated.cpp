#include "device/cuda/msm_g1.cu"
