#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "ops/executor.hpp"
#include "ops/reduction/reduction.hpp"

namespace aclvk::ops {

/// The rows of fold.def and norm.def, numbered by their place there; the shaders number them the same way.
enum class Fold : std::uint32_t {
#define FOLD(name, identity, element, combine, result) k##name,
#include "ops/reduction/fold.def"
  kFirstNorm,
  kBeforeNorms = kFirstNorm - 1,
#include "ops/reduction/norm.def"
#undef FOLD
};

/// The dims that an operator folds: those of a list, or one. Without a name it has no such parameter and folds all.
struct FoldDims {
  const char* name = nullptr;
  const void* list = nullptr;
  std::optional<std::int64_t> one{};
  bool keep = false;
  bool none_for_empty = false;  ///< an empty list stands for no dims instead of all
};

/// What an operator of fold_ops.def is called with. Names are those of its parameters.
struct FoldHandles {
  const void* self;
  const char* self_name;
  const void* out;
  const char* out_name;
  FoldDims dims{};
  std::optional<int> dtype{};
};

/// The operators of fold_ops.def.
enum class FoldOp : std::uint32_t {
#define FOLD_OP(name, fold, rule) k##name,
#include "ops/reduction/fold_op_rows.def"
#undef FOLD_OP
};

/// The first phase of an operator of fold_ops.def. `name` is its C name.
std::shared_ptr<Executor> plan_fold(const char* name, FoldOp op, const FoldHandles& handles);

/// A fold of tensors whose dtypes have been checked, in `promoted`. What is left to say: dims, and an argument.
Reduction fold_reduction(const char* name, Fold fold, const Tensor& self, DType promoted, const Tensor& out);

}  // namespace aclvk::ops
