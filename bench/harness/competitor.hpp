#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "aclvk/aclvk.h"

namespace bench {

/// The work of raw::Chain through another interface to the same GPU: `tasks` kernels x += y on `width` pairs of tensors
/// round-robin, each pair on a stream of its own.
class CompetitorChain {
 public:
  virtual ~CompetitorChain() = default;

  /// Runs all tasks with one call, from a graph captured at construction.
  virtual void replay() = 0;
  /// Launches all tasks with one call each, between the fork and the join.
  virtual void launch_all() = 0;
  virtual void launch(std::size_t task) = 0;
  /// Sets the arguments of `count` tasks of the graph again.
  virtual void update(std::size_t count) = 0;
  /// Waits until the device has finished all started work.
  virtual void wait() = 0;
};

/// Another interface that implements the chains. Its contenders take part in the same rounds.
class Competitor {
 public:
  virtual ~Competitor() = default;

  /// Returns the prefix of its contenders' names: "CUDA".
  virtual std::string name() const = 0;
  /// Returns its name with versions, for the report.
  virtual std::string description() const = 0;
  virtual std::unique_ptr<CompetitorChain> create_chain(std::size_t tasks, std::size_t width,
                                                        std::size_t elements) const = 0;
};

using Competitors = std::vector<std::unique_ptr<Competitor>>;

/// Returns the competitors that this program is linked with, for the GPU that the library uses. Each program defines
/// this function.
Competitors find_competitors(const aclvkDeviceInfo& device);

}  // namespace bench
