#include "ops/create/fill.hpp"

#include <algorithm>
#include <functional>

#include "base/error.hpp"
#include "create/fill.args.h"
#include "ops/args/create.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(FillArguments, FILL_ARGUMENTS);

constexpr DTypeSet kFillable = kMovable.with(kWideUnsigned);
constexpr DTypeSet kZeroable = kMovable.with({DType::kUint16}).with(kFloat8s).with({DType::kUint32, DType::kUint64});
constexpr DTypeSet kEyes = kCommon;
constexpr DTypeSet kDiagonals = kCommon.with(kDoubles).with(kComplex64);

void check_convertible(const Scalar& value, const Tensor& self, const char* name) {
  const bool loses = kind_of(value.dtype()) == Kind::kComplex && kind_of(self.dtype) != Kind::kComplex;
  check(!loses, Code::kNnInvalid, "{} has dtype {}; selfRef has {}, which holds no complex numbers.", name,
        value.dtype(), self.dtype);
}

Element one_of(DType dtype) {
  const float one = 1;
  return Scalar(&one, DType::kFloat).to_element(dtype);
}

/// A view of the operand, and the element that fills it.
struct FilledView {
  Tensor view;
  Element element;
};
std::shared_ptr<Executor> plan_filled(const char* name, const char* self_name, Executor::Operands operands,
                                      std::function<std::vector<FilledView>(const Tensor&)> parts) {
  auto build = [name, self_name, parts = std::move(parts)](const Executor::Operands& bound) {
    check_distinct(bound.output(0), self_name);
    Kernels kernels;
    for (const FilledView& part : parts(bound.output(0))) append(kernels, fill_kernels(name, part.view, part.element));
    return kernels;
  };
  return std::make_shared<Executor>(name, std::move(operands), std::move(build));
}

Executor::Operands in_place(const Tensor& self) { return {{&self}, {&self}, {{0, 0}}}; }

/// Fills a tensor whose elements may overlap: one value is the same for all of them.
std::shared_ptr<Executor> plan_fill_all(const char* name, const Tensor& self, const Element& element) {
  return std::make_shared<Executor>(name, in_place(self), [name, element](const Executor::Operands& bound) {
    return fill_kernels(name, bound.output(0), element);
  });
}

/// Views the elements with equal coordinates as a vector.
Tensor main_diagonal(const Tensor& tensor) {
  Tensor view = tensor;
  view.shape = {*std::min_element(tensor.shape.begin(), tensor.shape.end())};
  view.strides = {0};
  for (const std::int64_t stride : tensor.strides) view.strides[0] += stride;
  return view;
}

/// The main diagonal and, with `wrap`, those of the blocks below it in a tall matrix.
std::vector<FilledView> diagonals(const Tensor& tensor, const Element& element, bool wrap) {
  std::vector<FilledView> parts;
  const bool tall = tensor.shape.size() == 2 && wrap && tensor.shape[1] > 0;
  // A block is a square and an empty row: the diagonals of whole blocks are one view, with a step of a block and
  // of a diagonal.
  const std::int64_t block = tall ? tensor.shape[1] + 1 : std::max<std::int64_t>(tensor.shape[0], 1);
  const std::int64_t whole = tensor.shape[0] / block;
  if (tall && whole > 0) {
    Tensor blocks = tensor;
    blocks.shape = {whole, tensor.shape[1]};
    blocks.strides = {block * tensor.strides[0], tensor.strides[0] + tensor.strides[1]};
    parts.push_back({blocks, element});
  }
  const std::int64_t done = tall ? whole * block : 0;
  parts.push_back({main_diagonal(sliced(tensor, 0, done, tensor.shape[0] - done)), element});
  return parts;
}

}  // namespace

Kernels fill_kernels(const char* name, const Tensor& out, const Element& element) {
  StridedCall call;
  call.name = name;
  call.shader = "create/fill_bits";
  call.promoted = out.dtype;
  FillArguments arguments;
  arguments.value = element;
  add_arguments(call, arguments);
  // The value is among the arguments; the operand in its place is not read.
  call.operands = {{&out, runtime::Access::kRead, true}, {&out, runtime::Access::kWrite, false}};
  return strided_kernels(call);
}

/// aclnnInplaceFillScalar, aclnnInplaceFillTensor: `value` is converted as by aclnnCast.
std::shared_ptr<Executor> plan(const InplaceFillScalarArgs& args) {
  const TensorPtr self = required_tensor(args.selfRef);
  const ScalarPtr value = required_scalar(args.value);
  check_operand(*self, "selfRef", kFillable);
  check_convertible(*value, *self, "value");
  return plan_fill_all("aclnnInplaceFillScalar", *self, value->to_element(self->dtype));
}

std::shared_ptr<Executor> plan(const InplaceFillTensorArgs& args) {
  constexpr const char* kName = "aclnnInplaceFillTensor";
  const TensorPtr self = required_tensor(args.selfRef);
  const TensorPtr value = required_tensor(args.value);
  check_operand(*self, "selfRef", kFillable);
  check_operand(*value, "value", kFillable);
  check(value->elements() == 1 && value->shape.size() <= 1, Code::kNnInvalid,
        "value has shape {}; expected one element in at most one dimension.", value->shape);
  check(kind_of(value->dtype) != Kind::kComplex || kind_of(self->dtype) == Kind::kComplex, Code::kNnInvalid,
        "value has dtype {}; selfRef has {}, which holds no complex numbers.", value->dtype, self->dtype);
  return std::make_shared<Executor>(kName, Executor::Operands{{self.get(), value.get()}, {self.get()}, {{0, 0}}},
                                    [](const Executor::Operands& bound) {
                                      check_distinct(bound.output(0), "selfRef");
                                      check_overlap(bound.output(0), "selfRef", bound.input(1), "value");
                                      return copy_kernels(kName, bound.output(0),
                                                          expanded(bound.input(1), bound.output(0).shape));
                                    });
}

/// aclnnInplaceZero and aclnnInplaceOne.
std::shared_ptr<Executor> plan(const InplaceZeroArgs& args) {
  const TensorPtr self = required_tensor(args.selfRef);
  check_operand(*self, "selfRef", kZeroable);
  return plan_fill_all("aclnnInplaceZero", *self, Element{});
}

std::shared_ptr<Executor> plan(const InplaceOneArgs& args) {
  const TensorPtr self = required_tensor(args.selfRef);
  check_operand(*self, "selfRef", kFillable);
  return plan_fill_all("aclnnInplaceOne", *self, one_of(self->dtype));
}

/// aclnnEye: ones on the main diagonal.
std::shared_ptr<Executor> plan(const EyeArgs& args) {
  const std::int64_t rows = args.n;
  const std::int64_t columns = args.m;
  constexpr const char* kName = "aclnnEye";
  const TensorPtr out = required_tensor(args.out);
  check_operand(*out, "out", kEyes);
  check(rows >= 0 && columns >= 0, Code::kNnInvalid, "n is {} and m is {}; expected 0 or more.", rows, columns);
  check_shape(*out, "out", {rows, columns}, "n and m are");
  return plan_filled(kName, "out", {{}, {out.get()}}, [element = one_of(out->dtype)](const Tensor& bound) {
    return std::vector<FilledView>{{bound, Element{}}, {diagonal(bound, 0), element}};
  });
}

/// aclnnInplaceFillDiagonal: the elements with equal indices. `wrap`: the diagonal of a tall matrix starts again after
/// an empty row, as in PyTorch.
std::shared_ptr<Executor> plan(const InplaceFillDiagonalArgs& args) {
  const bool wrap = args.wrap;
  const TensorPtr self = required_tensor(args.selfRef);
  const ScalarPtr value = required_scalar(args.fillValue);
  check_operand(*self, "selfRef", kDiagonals);
  check_convertible(*value, *self, "fillValue");
  const Shape& shape = self->shape;
  check(shape.size() >= 2, Code::kNnInvalid, "selfRef has {} dimensions; expected at least 2.", shape.size());
  const bool equal = std::all_of(shape.begin(), shape.end(), [&](std::int64_t size) { return size == shape[0]; });
  check(shape.size() == 2 || equal, Code::kNnInvalid,
        "selfRef has shape {}; with more than two dimensions all sizes must be equal.", shape);
  return plan_filled("aclnnInplaceFillDiagonal", "selfRef", in_place(*self),
                     [wrap, element = value->to_element(self->dtype)](const Tensor& bound) {
                       return diagonals(bound, element, wrap);
                     });
}

}  // namespace aclvk::ops
