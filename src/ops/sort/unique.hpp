#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

// Slices that are there more than once become one. How many remain the device finds out (ops/dynamic_length.hpp).

/// What the operators are called with. `counts` is no parameter where it has no name.
struct UniqueHandles {
  const char* name;
  const void* self;
  bool wants_inverse;
  bool wants_counts;
  const void* values;
  const void* inverse;
  const void* counts;
  const char* counts_name = nullptr;
};

/// aclnnUnique, aclnnUnique2: the elements of self, in order.
std::shared_ptr<Executor> plan_unique(const UniqueHandles& handles);
/// aclnnUniqueDim: slices along a dim, in lexicographic order.
std::shared_ptr<Executor> plan_unique_dim(const UniqueHandles& handles, std::int64_t dim);
/// aclnnUniqueConsecutive: only slices that follow each other become one. Dim kNoDim stands for the elements of self.
constexpr std::int64_t kNoDim = 1000;
std::shared_ptr<Executor> plan_unique_consecutive(const UniqueHandles& handles, std::int64_t dim);

}  // namespace aclvk::ops
