#include "cuda/objects.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace cuda {

void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string(call) + " answers " + cudaGetErrorName(error) + ": " +
                           cudaGetErrorString(error) + ".");
}

// Non-blocking, because the default stream, which copies use, synchronizes with all other streams.
Stream create_stream() {
  cudaStream_t stream = nullptr;
  CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return Stream(stream);
}

Event create_event() {
  cudaEvent_t event = nullptr;
  CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return Event(event);
}

// A copy from pageable memory may return before the device has all of it.
Memory create_memory(std::size_t elements, float value) {
  void* address = nullptr;
  CUDA_CHECK(cudaMalloc(&address, elements * sizeof(float)));
  Memory memory(static_cast<float*>(address));
  const std::vector<float> values(elements, value);
  CUDA_CHECK(cudaMemcpy(memory.get(), values.data(), elements * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaDeviceSynchronize());
  return memory;
}

Executable instantiate(const Graph& graph) {
  cudaGraphExec_t executable = nullptr;
  CUDA_CHECK(cudaGraphInstantiateWithFlags(&executable, graph.get(), 0));
  return Executable(executable);
}

}  // namespace cuda
