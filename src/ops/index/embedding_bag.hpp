#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnEmbeddingBag: the sum, mean or maximum of embedding rows over bags of indices.
struct EmbeddingBagHandles {
  const void* weight;
  const void* indices;
  const void* offsets;  ///< the start of each bag
  const void* samples;  ///< per_sample_weights; may be NULL
  const void* output;
  const void* offset2bag;
  const void* bag_size;
  const void* max_indices;
};
struct EmbeddingBagAttributes {
  std::int64_t mode;  ///< 0: sum, 1: mean, other values: maximum
  bool has_end;       ///< the last offset is the end of the last bag (include_last_offset)
  std::int64_t padding;
};
std::shared_ptr<Executor> plan_embedding_bag(const EmbeddingBagHandles& handles,
                                             const EmbeddingBagAttributes& attributes);

}  // namespace aclvk::ops
