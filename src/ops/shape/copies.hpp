#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "ops/executor.hpp"
#include "ops/operator.hpp"

namespace aclvk::ops {

/// A strided copy between two views of operands, or of the workspace. `from` broadcasts to `to`.
struct Copy {
  Tensor to;
  Tensor from;
};

/// The copies of an operator, from its operands as they are now. They run in order.
using MakeCopies = std::function<std::vector<Copy>(const Executor::Operands&)>;

Kernels copies_kernels(const char* name, const std::vector<Copy>& copies);

/// An operator that is nothing but copies. Its outputs share no memory with its inputs. Names are those of the
/// parameters.
std::shared_ptr<Executor> plan_copies(const char* name, Executor::Operands operands, const char* out_name,
                                      const char* input_name, MakeCopies copies, std::uint64_t workspace_bytes = 0);

/// Throws 161002 unless all outputs can be written and share no memory with the inputs.
void check_disjoint(const Executor::Operands& operands, const char* out_name, const char* input_name);

/// Copies of `from` to `to`, element by element in row-major order, whatever the two shapes are. Where no view does it,
/// by way of a row-major copy at `workspace`, of reshape_bytes().
std::vector<Copy> reshaping_copies(const Tensor& to, const Tensor& from, std::byte* workspace);
std::uint64_t reshape_bytes(const Tensor& to, const Tensor& from);

}  // namespace aclvk::ops
