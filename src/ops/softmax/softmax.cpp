#include "ops/softmax/softmax.hpp"

#include "base/error.hpp"
#include "ops/executor/operator.hpp"
#include "ops/reduction/reduction.hpp"
#include "ops/softmax/softmax_rows.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kFloats = {DType::kFloat, DType::kFloat16, DType::kBfloat16, DType::kDouble};

std::size_t place_of(const Tensor& tensor, std::int64_t dim) {
  const DimMask mask = mask_of(tensor, dim, "dim");
  std::size_t place = 0;
  while (mask >> place > 1) ++place;
  return place;
}

}  // namespace

std::shared_ptr<Executor> plan_softmax(const char* name, Softmax kind, const InputArg& self, std::int64_t dim,
                                       const OutputArg& out) {
  const TensorPtr input = required_tensor(self);
  const TensorPtr output = required_tensor(out);
  check_dtype(*input, "self", kFloats);
  check_dtype(*output, "out", kFloats);
  check_view(*input, "self");
  check_view(*output, "out");
  check_shape(*output, "out", input->shape, "self has shape");
  const SoftmaxRows rows{name, kind, place_of(*input, dim), runtime::execution()};
  return std::make_shared<Executor>(name, Executor::Operands{{input.get()}, {output.get()}},
                                    [=](const Executor::Operands& bound) {
                                      check_distinct(bound.output(0), "out");
                                      check_overlap(bound.output(0), "out", bound.input(0), "self");
                                      return softmax_kernels(rows, bound.input(0), bound.output(0));
                                    });
}

std::shared_ptr<Executor> plan_softmax_backward(const char* name, Softmax kind, const InputArg& gradient,
                                                const InputArg& output, std::int64_t dim, const OutputArg& out) {
  const TensorPtr grad = required_tensor(gradient);
  const TensorPtr result = required_tensor(output);
  const TensorPtr target = required_tensor(out);
  check_dtype(*grad, "gradOutput", kFloats);
  check_dtype(*result, "output", kFloats);
  check_dtype(*target, "out", kFloats);
  check_view(*grad, "gradOutput");
  check_view(*result, "output");
  check_view(*target, "out");
  check_shape(*result, "output", grad->shape, "gradOutput has shape");
  check_shape(*target, "out", grad->shape, "gradOutput has shape");
  const SoftmaxRows rows{name, kind, place_of(*grad, dim), runtime::execution()};
  return std::make_shared<Executor>(
      name, Executor::Operands{{grad.get(), result.get()}, {target.get()}}, [=](const Executor::Operands& bound) {
        check_distinct(bound.output(0), "out");
        check_overlap(bound.output(0), "out", bound.input(0), "gradOutput");
        check_overlap(bound.output(0), "out", bound.input(1), "output");
        return softmax_gradient_kernels(rows, bound.input(0), bound.input(1), bound.output(0));
      });
}

}  // namespace aclvk::ops
