#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan_gather(const InputArg& self, std::int64_t dim, const InputArg& index,
                                      const OutputArg& out);

/// Gathers slices of self along a dim. The shape of index replaces the dim in the shape of the result; the first
/// `batch_dims` dims are shared by self and index. Names are those of the parameters.
struct TakeAlong {
  const char* name;
  InputArg self;
  std::int64_t dim;
  InputArg index;
  std::int64_t batch_dims;
  OutputArg out;
};
std::shared_ptr<Executor> plan_gather_v2(const TakeAlong& handles);
/// aclnnIndexSelect: the index has at most one dim.
std::shared_ptr<Executor> plan_index_select(const InputArg& self, std::int64_t dim, const InputArg& index,
                                            const OutputArg& out);
/// aclnnEmbedding: gathers rows of a matrix.
std::shared_ptr<Executor> plan_embedding(const InputArg& weight, const InputArg& indices, const OutputArg& out);

/// aclnnTake: gathers elements of the flattened self.
std::shared_ptr<Executor> plan_take(const InputArg& self, const InputArg& index, const OutputArg& out);

}  // namespace aclvk::ops
