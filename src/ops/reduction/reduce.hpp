#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/kernel/staging.hpp"
#include "ops/reduction/reduction.hpp"

namespace aclvk::ops {

/// The rows of reduce.def and norm.def, numbered by position, as in the shaders.
enum class ReduceKind : std::uint32_t {
#define REDUCE(name, identity, element, combine, result) k##name,
#include "ops/reduction/reduce.def"
  kFirstNorm,
  kBeforeNorms = kFirstNorm - 1,
#include "ops/reduction/norm.def"
#undef REDUCE
};

/// The dims that an operator reduces: a list, or one. Without a name the operator has no such parameter, and reduces
/// all dims.
struct ReduceDims {
  const char* name = nullptr;
  IntArrayArg list{};
  std::optional<std::int64_t> one{};
  bool keep = false;
  bool none_for_empty = false;  ///< an empty list means no dims instead of all
};

/// The handles of an operator of reduce_ops.def. Names are those of its parameters.
struct ReduceHandles {
  InputArg self;
  OutputArg out;
  ReduceDims dims{};
  std::optional<int> dtype{};
};

/// The operators of reduce_ops.def.
enum class ReduceOp : std::uint32_t {
#define REDUCE_OP(name, kind, rule) k##name,
#include "ops/reduction/reduce_op_rows.def"
#undef REDUCE_OP
};

/// Plans an operator of reduce_ops.def. `name` is its C name.
std::shared_ptr<Executor> plan_reduce(const char* name, ReduceOp op, const ReduceHandles& handles);

/// Returns a reduction in `promoted` of tensors whose dtypes have been checked. The caller sets dims and the argument.
Reduction reduction_of(const char* name, ReduceKind kind, const Tensor& self, DType promoted, const Tensor& out);

/// Reduces `elements` along `dims` into `out`, computing in `promoted`. Keeps the states of chunks in the workspace.
Kernels reduce_kernels(const char* name, ReduceKind kind, DType promoted, const Tensor& elements, DimMask dims,
                       const Tensor& out, Staging& staging);

}  // namespace aclvk::ops
