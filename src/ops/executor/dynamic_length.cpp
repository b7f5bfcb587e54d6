#include "ops/executor/dynamic_length.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/staged_executor.hpp"
#include "runtime/memory/copy.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::ops {
namespace {

using BoundTensors = TensorParameters::BoundTensors;

/// Reads the last running sum. Requires that the stream has finished.
std::int64_t read_length(const Tensor& sums) {
  if (sums.empty()) return 0;
  std::int32_t length = 0;
  const std::int64_t last = (sums.elements() - 1) * static_cast<std::int64_t>(sizeof(length));
  runtime::copy_now(&length, at_byte_offset(sums.address(), last), sizeof(length));
  // The program may have overwritten its workspace. A clamped length keeps later kernels inside of the results.
  return std::clamp<std::int64_t>(length, 0, sums.elements());
}

/// Gives the program's tensor its final shape, and keeps an address that was set since the first phase.
void set_length(const DynamicLengthResult& result, std::int64_t length) {
  const TensorPtr current = tensor_handles().find(result.handle);
  if (!current) return;
  Tensor found = result.view(length);
  found.data = current->data;
  tensor_handles().replace(result.handle, std::make_shared<const Tensor>(std::move(found)));
}

}  // namespace

Tensor shortened(const Tensor& tensor, std::size_t dim, std::int64_t length) {
  const bool dense = is_contiguous(tensor);
  Tensor result = tensor;
  result.shape[dim] = length;
  if (dense) result.strides = contiguous_strides(result.shape);
  return result;
}

std::shared_ptr<Executor> dynamic_length_executor(const char* name, const TensorParameters& tensors,
                                                  MakeDynamicLengthPlan make_plan,
                                                  std::vector<DynamicLengthResult> results) {
  auto executor = staged_executor(name, tensors, [make_plan](const BoundTensors& bound, Staging& staging) {
    return make_plan(bound, staging).kernels;
  });
  // The first kernels count, the host reads the count, and the rest is launched with the length that the results
  // have now: the call blocks, as torch.nonzero() does on a GPU.
  executor->will_continue([name, tensors, make_plan = std::move(make_plan), results = std::move(results)](
                              const Executor::Operands& operands, runtime::Stream& stream) {
    Staging staging(name, operands.workspace);
    const DynamicLengthPlan plan = make_plan(BoundTensors(tensors, operands), staging);
    stream.synchronize();
    const std::int64_t length = read_length(plan.sums);
    Kernels rest = plan.rest(length);
    if (!rest.empty()) {
      stream.launch(std::move(rest));
      stream.synchronize();
    }
    for (const DynamicLengthResult& result : results) set_length(result, length);
  });
  return executor;
}

}  // namespace aclvk::ops
