#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"

namespace aclvk::ops {

/// A strided copy between two views of operands or of the workspace. `from` broadcasts to `to`.
struct Copy {
  Tensor to;
  Tensor from;
};

/// Returns the copies of an operator for the operands of a run, in order.
using MakeCopies = std::function<std::vector<Copy>(const Executor::Operands&)>;

Kernels copies_kernels(const char* name, const std::vector<Copy>& copies);

/// Plans an operator that only copies. Its outputs must share no memory with its inputs. Names are those of the
/// parameters.
std::shared_ptr<Executor> plan_copies(const char* name, Executor::Operands operands, const char* out_name,
                                      const char* input_name, MakeCopies copies, std::uint64_t workspace_bytes = 0);

/// Throws 161002 unless all outputs can be written and share no memory with the inputs.
void check_disjoint(const Executor::Operands& operands, const char* out_name, const char* input_name);

/// Copies the elements of `from` in row-major order to `to`, of another shape. When no view can do this, uses a
/// row-major copy at `workspace`, which needs reshape_bytes().
std::vector<Copy> reshaping_copies(const Tensor& to, const Tensor& from, std::byte* workspace);
std::uint64_t reshape_bytes(const Tensor& to, const Tensor& from);

}  // namespace aclvk::ops
