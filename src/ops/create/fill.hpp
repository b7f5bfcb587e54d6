#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"

namespace aclvk::ops {

/// The bits of an element, low byte first.
using Element = std::array<std::uint32_t, 4>;

/// Fills a view of any dtype with one element. Elements of the view must not overlap.
Kernels fill_kernels(const char* name, const Tensor& out, const Element& element);

/// aclnnInplaceFillScalar, aclnnInplaceFillTensor: `value` is converted as by aclnnCast.
std::shared_ptr<Executor> plan_fill_scalar(const UpdatedArg& self, const ScalarArg& value);
std::shared_ptr<Executor> plan_fill_tensor(const UpdatedArg& self, const InputArg& value);

/// aclnnInplaceZero and aclnnInplaceOne.
std::shared_ptr<Executor> plan_zero(const UpdatedArg& self);
std::shared_ptr<Executor> plan_one(const UpdatedArg& self);

/// aclnnEye: ones on the main diagonal.
std::shared_ptr<Executor> plan_eye(std::int64_t rows, std::int64_t columns, const OutputArg& out);

/// aclnnInplaceFillDiagonal: the elements with equal indices. `wrap`: the diagonal of a tall matrix starts again after
/// an empty row, as in PyTorch.
std::shared_ptr<Executor> plan_fill_diagonal(const UpdatedArg& self, const ScalarArg& value, bool wrap);

}  // namespace aclvk::ops
