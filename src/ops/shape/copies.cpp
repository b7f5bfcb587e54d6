#include "ops/shape/copies.hpp"

#include "ops/kernel/copy.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {

Kernels copies_kernels(const char* name, const std::vector<Copy>& copies) {
  Kernels kernels;
  for (const Copy& copy : copies) append(kernels, copy_kernels(name, copy.to, copy.from));
  return kernels;
}

void check_disjoint(const Executor::Operands& operands, const char* out_name, const char* input_name) {
  for (std::size_t i = 0; i < operands.outputs.size(); ++i) {
    for (std::size_t n = 0; n < operands.outputs.count(i); ++n) {
      const Tensor& out = operands.outputs.tensor(i, n);
      check_distinct(out, out_name);
      for (std::size_t k = 0; k < operands.inputs.size(); ++k) {
        for (std::size_t m = 0; m < operands.inputs.count(k); ++m) {
          check_disjoint(out, out_name, operands.inputs.tensor(k, m), input_name);
        }
      }
    }
  }
}

std::shared_ptr<Executor> plan_copies(const char* name, Executor::Operands operands, const char* out_name,
                                      const char* input_name, MakeCopies copies, std::uint64_t workspace_bytes) {
  auto build = [=, copies = std::move(copies)](const Executor::Operands& bound) {
    check_disjoint(bound, out_name, input_name);
    return copies_kernels(name, copies(bound));
  };
  return std::make_shared<Executor>(name, std::move(operands), std::move(build), workspace_bytes);
}

std::vector<Copy> reshaping_copies(const Tensor& to, const Tensor& from, std::byte* workspace) {
  // A view of either side saves the copy through the workspace.
  if (const auto view = reshaped(to, from.shape)) return {{*view, from}};
  if (const auto view = reshaped(from, to.shape)) return {{to, *view}};
  const Tensor between = row_major(from.shape, from.dtype, workspace);
  return {{between, from}, {to, *reshaped(between, to.shape)}};
}

std::uint64_t reshape_bytes(const Tensor& to, const Tensor& from) {
  if (reshaped(to, from.shape) || reshaped(from, to.shape)) return 0;
  return static_cast<std::uint64_t>(from.elements()) * size_of(from.dtype);
}

}  // namespace aclvk::ops
