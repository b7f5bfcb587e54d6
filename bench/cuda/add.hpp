#pragma once

namespace cuda {

/// How many elements a thread adds, and how many threads a block has: as in the library's kernel, so that all
/// contenders launch the same grid.
constexpr unsigned kPerThread = 4;
constexpr unsigned kThreads = 64;

/// The kernel x += alpha * y, as cudaLaunchKernel and the nodes of graphs take it. Arguments: float4* x,
/// const float4* y, float alpha, unsigned quads.
const void* add_kernel();

}  // namespace cuda
