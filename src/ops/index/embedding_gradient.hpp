#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnEmbeddingDenseBackward and aclnnEmbeddingDenseGrad: row w of out is the sum of the rows of grad whose index
/// is w, added in order, so results are deterministic. Row `padding_index` stays 0; a negative one means none. With
/// `scale_by_frequency` a sum is divided by the number of its rows.
struct EmbeddingGradient {
  const char* name;
  InputArg grad;
  InputArg indices;
  std::int64_t rows;
  std::int64_t padding_index;
  bool scale_by_frequency;
  OutputArg out;
};
std::shared_ptr<Executor> plan_embedding_gradient(const EmbeddingGradient& handles);

}  // namespace aclvk::ops
