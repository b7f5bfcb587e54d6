#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnEmbeddingBag: rows of a matrix, added up, averaged or compared by bags of indices.
struct EmbeddingBagHandles {
  const void* weight;
  const void* indices;
  const void* offsets;  ///< where bags begin
  const void* samples;  ///< what each row is multiplied by; may be NULL
  const void* output;
  const void* offset2bag;
  const void* bag_size;
  const void* max_indices;
};
struct EmbeddingBagAttributes {
  std::int64_t mode;  ///< 0 adds, 1 averages, all others take the greatest
  bool has_end;       ///< the last offset is where the last bag ends
  std::int64_t padding;
};
std::shared_ptr<Executor> plan_embedding_bag(const EmbeddingBagHandles& handles,
                                             const EmbeddingBagAttributes& attributes);

}  // namespace aclvk::ops
