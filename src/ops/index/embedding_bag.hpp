#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnEmbeddingBag: the sum, mean or maximum of embedding rows over bags of indices.
struct EmbeddingBagHandles {
  InputArg weight;
  InputArg indices;
  InputArg offsets;  ///< the start of each bag
  InputArg samples;  ///< per_sample_weights; may be NULL
  OutputArg output;
  OutputArg offset2bag;
  OutputArg bag_size;
  OutputArg max_indices;
};
struct EmbeddingBagAttributes {
  std::int64_t mode;  ///< 0: sum, 1: mean, other values: maximum
  bool has_end;       ///< the last offset is the end of the last bag (include_last_offset)
  std::int64_t padding;
};
std::shared_ptr<Executor> plan_embedding_bag(const EmbeddingBagHandles& handles,
                                             const EmbeddingBagAttributes& attributes);

}  // namespace aclvk::ops
