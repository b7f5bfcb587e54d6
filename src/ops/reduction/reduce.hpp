#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "ops/executor.hpp"
#include "ops/reduction/reduction.hpp"

namespace aclvk::ops {

/// The rows of reduce.def and norm.def, numbered by their place there; the shaders number them the same way.
enum class ReduceKind : std::uint32_t {
#define REDUCE(name, identity, element, combine, result) k##name,
#include "ops/reduction/reduce.def"
  kFirstNorm,
  kBeforeNorms = kFirstNorm - 1,
#include "ops/reduction/norm.def"
#undef REDUCE
};

/// The dims that an operator folds: those of a list, or one. Without a name it has no such parameter and folds all.
struct ReduceDims {
  const char* name = nullptr;
  const void* list = nullptr;
  std::optional<std::int64_t> one{};
  bool keep = false;
  bool none_for_empty = false;  ///< an empty list stands for no dims instead of all
};

/// What an operator of reduce_ops.def is called with. Names are those of its parameters.
struct ReduceHandles {
  const void* self;
  const char* self_name;
  const void* out;
  const char* out_name;
  ReduceDims dims{};
  std::optional<int> dtype{};
};

/// The operators of reduce_ops.def.
enum class ReduceOp : std::uint32_t {
#define REDUCE_OP(name, kind, rule) k##name,
#include "ops/reduction/reduce_op_rows.def"
#undef REDUCE_OP
};

/// The first phase of an operator of reduce_ops.def. `name` is its C name.
std::shared_ptr<Executor> plan_reduce(const char* name, ReduceOp op, const ReduceHandles& handles);

/// A fold of tensors whose dtypes have been checked, in `promoted`. What is left to say: dims, and an argument.
Reduction reduction_of(const char* name, ReduceKind kind, const Tensor& self, DType promoted, const Tensor& out);

}  // namespace aclvk::ops
