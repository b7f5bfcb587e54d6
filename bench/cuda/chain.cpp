#include "cuda/chain.hpp"

#include <stdexcept>
#include <string>

#include "cuda/add.hpp"

namespace cuda {
namespace {

unsigned quads_of(std::size_t elements) {
  if (elements % kPerThread == 0) return static_cast<unsigned>(elements / kPerThread);
  throw std::logic_error("A tensor of the chain has " + std::to_string(elements) +
                         " elements; expected a multiple of " + std::to_string(kPerThread) + ".");
}

std::vector<cudaGraphNode_t> kernels_of(const Graph& graph) {
  std::size_t count = 0;
  CUDA_CHECK(cudaGraphGetNodes(graph.get(), nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  CUDA_CHECK(cudaGraphGetNodes(graph.get(), nodes.data(), &count));
  std::vector<cudaGraphNode_t> kernels;
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    CUDA_CHECK(cudaGraphNodeGetType(node, &type));
    if (type == cudaGraphNodeTypeKernel) kernels.push_back(node);
  }
  return kernels;
}

}  // namespace

Chain::Chain(std::size_t tasks, std::size_t width, std::size_t elements) : tasks_(tasks), quads_(quads_of(elements)) {
  for (std::size_t i = 0; i < width; ++i) {
    streams_.push_back(create_stream());
    events_.push_back(create_event());
    x_.push_back(create_memory(elements, 1.0F));
    y_.push_back(create_memory(elements, 0.5F));
  }
  capture();
}

void Chain::capture() {
  cudaGraph_t graph = nullptr;
  CUDA_CHECK(cudaStreamBeginCapture(streams_.front().get(), cudaStreamCaptureModeGlobal));
  launch_all();
  CUDA_CHECK(cudaStreamEndCapture(streams_.front().get(), &graph));
  graph_.reset(graph);
  kernels_ = kernels_of(graph_);
  if (kernels_.size() != tasks_) {
    throw std::runtime_error("CUDA captured " + std::to_string(kernels_.size()) + " kernels; expected " +
                             std::to_string(tasks_) + ".");
  }
  executable_ = instantiate(graph_);
}

void Chain::replay() { CUDA_CHECK(cudaGraphLaunch(executable_.get(), streams_.front().get())); }

void Chain::launch_all() {
  fork();
  for (std::size_t task = 0; task < tasks_; ++task) launch(task);
  join();
}

void Chain::launch(std::size_t task) {
  const std::size_t pair = task % x_.size();
  float* x = x_[pair].get();
  const float* y = y_[pair].get();
  float alpha = 1;
  unsigned quads = quads_;
  void* arguments[] = {&x, &y, &alpha, &quads};
  const dim3 grid((quads + kThreads - 1) / kThreads);
  CUDA_CHECK(cudaLaunchKernel(add_kernel(), grid, dim3(kThreads), arguments, 0, streams_[pair].get()));
}

// Sets each node's arguments to those it was captured with, because CUDA lists the nodes in an order of its own. The
// library's side launches the same arguments again, too.
void Chain::update(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    cudaKernelNodeParams parameters{};
    CUDA_CHECK(cudaGraphKernelNodeGetParams(kernels_.at(i), &parameters));
    CUDA_CHECK(cudaGraphExecKernelNodeSetParams(executable_.get(), kernels_[i], &parameters));
  }
}

void Chain::wait() { CUDA_CHECK(cudaStreamSynchronize(streams_.front().get())); }

void Chain::fork() {
  if (streams_.size() == 1) return;
  CUDA_CHECK(cudaEventRecord(events_[0].get(), streams_[0].get()));
  for (std::size_t i = 1; i < streams_.size(); ++i) {
    CUDA_CHECK(cudaStreamWaitEvent(streams_[i].get(), events_[0].get(), 0));
  }
}

void Chain::join() {
  for (std::size_t i = 1; i < streams_.size(); ++i) {
    CUDA_CHECK(cudaEventRecord(events_[i].get(), streams_[i].get()));
    CUDA_CHECK(cudaStreamWaitEvent(streams_[0].get(), events_[i].get(), 0));
  }
}

}  // namespace cuda
