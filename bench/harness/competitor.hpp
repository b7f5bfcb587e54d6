#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "aclvk/aclvk.h"

namespace bench {

/// raw::Chain's work on another interface to the same GPU: `tasks` kernels x += y on `width` pairs of tensors in turn,
/// each pair on a stream of its own.
class CompetitorChain {
 public:
  virtual ~CompetitorChain() = default;

  /// All tasks by one call, from a graph that was made with the chain.
  virtual void replay() = 0;
  /// All tasks, one call for each, with the fork before and the join after them.
  virtual void launch_all() = 0;
  virtual void launch(std::size_t task) = 0;
  /// Gives `count` tasks of the graph their arguments again.
  virtual void update(std::size_t count) = 0;
  /// Until the device is done with everything that was started.
  virtual void wait() = 0;
};

/// Another interface that can do the chains; its contenders take part in the same rounds.
class Competitor {
 public:
  virtual ~Competitor() = default;

  /// What the names of its contenders begin with: "CUDA".
  virtual std::string name() const = 0;
  /// With versions, for the report's setting.
  virtual std::string description() const = 0;
  virtual std::unique_ptr<CompetitorChain> create_chain(std::size_t tasks, std::size_t width,
                                                        std::size_t elements) const = 0;
};

using Competitors = std::vector<std::unique_ptr<Competitor>>;

/// Those that this program was linked with, on the GPU that the library takes. Each program has a definition of its
/// own.
Competitors find_competitors(const aclvkDeviceInfo& device);

}  // namespace bench
