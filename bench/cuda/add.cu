// The kernel is all that needs CUDA's compiler: nvcc knows the way to the code of each GPU, or to PTX that the driver
// compiles, without paths and flags at run time as NVRTC wants them. Everything else is C++ on CUDA's runtime
// interface (chain.cpp) and is compiled as the rest of the project, with its compiler and its warnings.
#include "cuda/add.hpp"

namespace cuda {
namespace {

__global__ void add(float4* x, const float4* y, float alpha, unsigned quads) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quads) return;
  const float4 a = x[i];
  const float4 b = y[i];
  x[i] = make_float4(a.x + alpha * b.x, a.y + alpha * b.y, a.z + alpha * b.z, a.w + alpha * b.w);
}

}  // namespace

const void* add_kernel() { return reinterpret_cast<const void*>(&add); }

}  // namespace cuda
