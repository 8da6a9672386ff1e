#include "device/cuda/evaluate.cu"
