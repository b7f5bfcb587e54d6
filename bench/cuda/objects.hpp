#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

namespace cuda {

/// Throws std::runtime_error with CUDA's message unless `error` is cudaSuccess.
void check(cudaError_t error, const char* call);
#define CUDA_CHECK(call) ::cuda::check(call, #call)

// Deleters. Errors of a destructor are ignored; a failed device shows at the next checked call.
struct Close {
  void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
  void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
  void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
  void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
  void operator()(float* memory) const { cudaFree(memory); }
};

template <typename Handle>
using Owner = std::unique_ptr<std::remove_pointer_t<Handle>, Close>;
using Stream = Owner<cudaStream_t>;
using Event = Owner<cudaEvent_t>;
using Graph = Owner<cudaGraph_t>;
using Executable = Owner<cudaGraphExec_t>;
using Memory = Owner<float*>;

Stream create_stream();
Event create_event();
/// Allocates elements that all have this value.
Memory create_memory(std::size_t elements, float value);
Executable instantiate(const Graph& graph);

}  // namespace cuda
