#include "ops/shape/view_copy.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "ops/executor/operator.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"
#include "shape/view_copy.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(ViewCopyArguments, VIEW_COPY_ARGUMENTS);

constexpr const char* kName = "aclnnViewCopy";
constexpr std::size_t kNumbers = 3;  // the tensors that describe a view: sizes, strides, offset
constexpr const char* kTargetNames[] = {"dst_size", "dst_stride", "dst_storage_offset"};
constexpr const char* kSourceNames[] = {"src_size", "src_stride", "src_storage_offset"};
constexpr DTypeSet kCopyable = kCommon.with({DType::kUint16, DType::kUint32});

struct View {
  TensorPtr tensor;
  TensorPtr numbers[kNumbers];
};

View read(const DescribedView& handles) {
  View view{required_tensor(handles.tensor), {}};
  const InputArg numbers[] = {handles.size, handles.stride, handles.offset};
  for (std::size_t i = 0; i < kNumbers; ++i) view.numbers[i] = required_tensor(numbers[i]);
  return view;
}

void check_numbers(const View& view, const char* const (&names)[kNumbers], DType dtype) {
  for (std::size_t i = 0; i < kNumbers; ++i) {
    const Tensor& numbers = *view.numbers[i];
    check_operand(numbers, names[i], kIndices);
    check(numbers.dtype == dtype, Code::kNnInvalid,
          "{} has dtype {} and other tensors that describe views have {}; the same is expected.", names[i],
          numbers.dtype, dtype);
    check(numbers.shape.size() <= 1 && numbers.elements() <= static_cast<std::int64_t>(kMaxRank), Code::kNnInvalid,
          "{} has shape {}; expected a vector of at most {} numbers.", names[i], numbers.shape, kMaxRank);
  }
  check(view.numbers[0]->elements() == view.numbers[1]->elements(), Code::kNnInvalid,
        "{} has shape {} and {} {}; the same number of elements is expected.", names[0], view.numbers[0]->shape,
        names[1], view.numbers[1]->shape);
  check(view.numbers[2]->elements() == 1, Code::kNnInvalid, "{} has shape {}; expected one number.", names[2],
        view.numbers[2]->shape);
}

/// The whole storage of a tensor, as a vector.
Tensor storage_of(const Tensor& tensor) {
  const ByteSpan span = span_of(tensor);
  const auto bytes = static_cast<std::int64_t>(size_of(tensor.dtype));
  const auto reached = static_cast<std::int64_t>(span.end - reinterpret_cast<std::uintptr_t>(tensor.data)) / bytes;
  const std::int64_t declared = tensor.storage.empty() ? 0 : element_count(tensor.storage);
  return row_major({std::max(reached, declared)}, tensor.dtype, static_cast<const std::byte*>(tensor.data));
}

// The input slots of a view: the tensor, sizes, strides and offset.
constexpr std::size_t kSlots = 1 + kNumbers;
std::size_t slot_of(std::size_t view, std::size_t number) { return view * kSlots + 1 + number; }

/// Copies the descriptions of both views to rows of eight numbers.
Tensor gather_numbers(Kernels& kernels, Staging& staging, const Executor::Operands& bound) {
  constexpr auto kRow = static_cast<std::int64_t>(kMaxRank);
  const Tensor rows = staging.make({2 * static_cast<std::int64_t>(kNumbers), kRow}, bound.input(1).dtype);
  for (std::size_t i = 0; i < 2 * kNumbers; ++i) {
    const Tensor numbers = at_least_one_dim(bound.input(slot_of(i / kNumbers, i % kNumbers)));
    const Tensor row = selected(rows, 0, static_cast<std::int64_t>(i));
    append(kernels, copy_kernels(kName, sliced(row, 0, 0, numbers.shape[0]), numbers));
  }
  return rows;
}

Kernels copy_between(const Tensor& numbers, std::int64_t target_rank, std::int64_t source_rank, const Tensor& source,
                     const Tensor& target) {
  const Shape walk{1};
  const Shape none{0};
  ViewCopyArguments arguments;
  arguments.target_rank = word(target_rank);
  arguments.source_rank = word(source_rank);
  arguments.target_elements = word(target.shape[0]);
  arguments.source_elements = word(source.shape[0]);
  StridedCall call;
  call.name = kName;
  call.shader = "shape/view_copy_bits";
  call.promoted = target.dtype;
  add_arguments(call, arguments);
  call.operands = {{&numbers, Access::kRead, false, &walk},
                   {&source, Access::kRead, false, &none},
                   {&target, Access::kReadWrite, false, &none}};
  // The sizes of the views are device data. A thread for each element of the target finds whether the view has
  // it, and its source.
  call.shape = &target.shape;
  return strided_kernels(call);
}

}  // namespace

std::shared_ptr<Executor> plan_view_copy(const DescribedView& dst_handles, const DescribedView& src_handles,
                                         const InputArg& out_handle) {
  const View dst = read(dst_handles);
  const View src = read(src_handles);
  const TensorPtr out = required_tensor(out_handle);
  check_operand(*dst.tensor, "dst", kCopyable);
  check_same_dtype(*src.tensor, "src", *dst.tensor, "dst");
  check_view(*src.tensor, "src");
  check_same_dtype(*out, "dst_out", *dst.tensor, "dst");
  check_view(*out, "dst_out");
  check_shape(*out, "dst_out", dst.tensor->shape, "dst has shape");
  const DType numbers = dst.numbers[0]->dtype;
  check_numbers(dst, kTargetNames, numbers);
  check_numbers(src, kSourceNames, numbers);
  Executor::Operands operands{{}, {out.get()}};
  for (const View* view : {&dst, &src}) {
    operands.inputs.add(view->tensor);
    for (const TensorPtr& tensor : view->numbers) operands.inputs.add(tensor);
  }
  return staged_executor(kName, std::move(operands), [](const Executor::Operands& bound, Staging& staging) {
    const Tensor& to = bound.output(0);
    check_distinct(to, "dst_out");
    check_overlap(to, "dst_out", bound.input(0), "dst");
    Kernels kernels;
    if (!is_same_view(to, bound.input(0))) append(kernels, copy_kernels(kName, to, bound.input(0)));
    // The described views may reach any element of the storage, so checks and kernels take all of it.
    const Tensor target = storage_of(to);
    const Tensor source = storage_of(bound.input(kSlots));
    check_disjoint(target, "dst_out", source, "src");
    for (std::size_t i = 0; i < 2 * kNumbers; ++i) {
      check_disjoint(target, "dst_out", bound.input(slot_of(i / kNumbers, i % kNumbers)), "a view's numbers");
    }
    const Tensor rows = gather_numbers(kernels, staging, bound);
    append(kernels, copy_between(rows, bound.input(slot_of(0, 0)).elements(), bound.input(slot_of(1, 0)).elements(),
                                 source, target));
    return kernels;
  });
}

}  // namespace aclvk::ops
