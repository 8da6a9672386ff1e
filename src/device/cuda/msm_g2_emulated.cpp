#include "device/cuda/msm_g2.cu"
