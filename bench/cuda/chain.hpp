#pragma once

#include <cstddef>
#include <vector>

#include "cuda/objects.hpp"
#include "harness/competitor.hpp"

namespace cuda {

/// The chain on CUDA streams, and as a graph captured from them.
class Chain : public bench::CompetitorChain {
 public:
  Chain(std::size_t tasks, std::size_t width, std::size_t elements);

  void replay() override;
  void launch_all() override;
  void launch(std::size_t task) override;
  void update(std::size_t count) override;
  void wait() override;

 private:
  void capture();
  void fork();
  void join();

  std::size_t tasks_;
  unsigned quads_;
  std::vector<Stream> streams_;
  std::vector<Event> events_;  // one for the fork, and one for the end of each other stream
  std::vector<Memory> x_;
  std::vector<Memory> y_;
  Graph graph_;
  std::vector<cudaGraphNode_t> kernels_;  // the nodes of the graph
  Executable executable_;
};

}  // namespace cuda
