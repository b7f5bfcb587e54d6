#include "ops/elementwise/float4.hpp"

#include "base/error.hpp"
#include "elementwise/float4.args.h"
#include "ops/elementwise/nibbles.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(Float4Arguments, FLOAT4_ARGUMENTS);
CONSTANT_STRUCT(Float4Constants, FLOAT4_CONSTANTS);

constexpr const char* kName = "aclnnCast";

/// Throws 161002 unless the 4-bit elements are contiguous, in whole bytes, and start at a word.
void check_pairs(const Tensor& tensor, const char* name) {
  if (!is_four_bit(tensor.dtype)) return;
  const bool whole = !tensor.shape.empty() && tensor.shape.back() % 2 == 0 && is_contiguous(tensor);
  check(
      whole, Code::kNnInvalid,
      "{} has dtype {}, shape {} and strides {}; rows of pairs without gaps are expected, as two elements are a byte.",
      name, tensor.dtype, tensor.shape, tensor.strides);
  const bool begins =
      tensor.offset % 8 == 0 && reinterpret_cast<std::uintptr_t>(tensor.address()) % sizeof(std::uint32_t) == 0;
  check(begins, Code::kNnInvalid,
        "{} has offset {}; 4-bit elements have to begin at a word: an offset of a multiple of 8, and an address of 4 "
        "bytes, are expected.",
        name, tensor.offset);
}

runtime::Kernel narrow_kernel(const Tensor& floats, const Tensor& out) {
  const auto count = static_cast<std::uint64_t>(out.elements());
  KernelBuilder kernel(kName, "elementwise/float4_f32");
  Float4Constants constants;
  constants.kDtype = static_cast<uint>(out.dtype);
  kernel.add_constants(constants);
  kernel.add_operand(operand_of(kName, floats, Access::kRead));
  // A last word that is not whole keeps the bits after the tensor, so it is read, too.
  kernel.add_operand(out.address(), count / 2, count % 8 == 0 ? Access::kWrite : Access::kReadWrite);
  Float4Arguments arguments;
  arguments.count = static_cast<uint>(count);
  kernel.add_arguments(arguments);
  kernel.set_threads((count + 7) / 8);
  return kernel.build();
}

Kernels cast_kernels(const Tensor& self, const Tensor& out, Staging& staging) {
  Kernels kernels;
  if (self.dtype == out.dtype) {
    // Two elements of equal dtypes are a byte, which is copied as it is.
    const Shape bytes{self.elements() / 2};
    append(kernels, copy_kernels(kName, row_major(bytes, DType::kUint8, out.address()),
                                 row_major(bytes, DType::kUint8, self.address())));
    return kernels;
  }
  Tensor wide = self;
  if (is_four_bit(self.dtype)) {
    const Tensor row = unpacked_row(kName, self.address(), self.dtype, self.elements(), staging, kernels);
    wide = row_major(self.shape, row.dtype, row.address());
  }
  if (!is_four_bit(out.dtype)) {
    append(kernels, copy_kernels(kName, out, wide));
    return kernels;
  }
  if (wide.dtype != DType::kFloat || !is_contiguous(wide)) {
    const Tensor floats = staging.make(self.shape, DType::kFloat);
    append(kernels, copy_kernels(kName, floats, wide));
    wide = floats;
  }
  kernels.push_back(narrow_kernel(wide, out));
  return kernels;
}

}  // namespace

std::shared_ptr<Executor> plan_float4_cast(const Tensor& self, const Tensor& out) {
  check_pairs(self, "self");
  check_pairs(out, "out");
  return staged_executor(
      kName, Executor::Operands{{&self}, {&out}}, [](const Executor::Operands& bound, Staging& staging) {
        check_pairs(bound.input(0), "self");  // again, because addresses may have changed since the first phase
        check_pairs(bound.output(0), "out");
        check_distinct(bound.output(0), "out");
        check_disjoint(bound.output(0), "out", bound.input(0), "self");
        return cast_kernels(bound.input(0), bound.output(0), staging);
      });
}

}  // namespace aclvk::ops
