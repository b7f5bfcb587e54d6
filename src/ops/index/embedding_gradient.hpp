#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnEmbeddingDenseBackward and aclnnEmbeddingDenseGrad: row w of out is the sum of the rows of grad whose index
/// is w, added in order, so results are deterministic. Row `padding_index` stays 0; a negative one means none. With
/// `scale_by_frequency` a sum is divided by the number of its rows.
struct EmbeddingGradient {
  const char* name;
  const void* grad;
  const void* indices;
  std::int64_t rows;
  std::int64_t padding_index;
  bool scale_by_frequency;
  const void* out;
  const char* out_name;
};
std::shared_ptr<Executor> plan_embedding_gradient(const EmbeddingGradient& handles);

}  // namespace aclvk::ops
