#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Removal of duplicate slices. The results have dynamic length (ops/executor/dynamic_length.hpp).

/// The handles of the operators. `counts_name` is null for operators without counts.
struct UniqueHandles {
  const char* name;
  InputArg self;
  bool wants_inverse;
  bool wants_counts;
  OutputArg values;
  OutputArg inverse;
  OutputArg counts;
};

/// aclnnUnique, aclnnUnique2: the sorted unique elements of self.
std::shared_ptr<Executor> plan_unique(const UniqueHandles& handles);
/// aclnnUniqueDim: the unique slices along a dim, in lexicographic order.
std::shared_ptr<Executor> plan_unique_dim(const UniqueHandles& handles, std::int64_t dim);
/// aclnnUniqueConsecutive: removes only adjacent duplicates. The dim kNoDim, 1000 in the interface, means
/// the elements of self.
constexpr std::int64_t kNoDim = 1000;
std::shared_ptr<Executor> plan_unique_consecutive(const UniqueHandles& handles, std::int64_t dim);

}  // namespace aclvk::ops
