#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "ops/executor/executor.hpp"
#include "ops/executor/tensor_parameters.hpp"
#include "ops/kernel/staging.hpp"

namespace aclvk::ops {

/// An operator's name, a string literal, and the blocked format that it accepts besides plain ones.
struct StagedOperator {
  // NOLINTNEXTLINE(google-explicit-constructor): most operators pass only a name
  StagedOperator(const char* name_of_all, std::optional<int> blocked_format = {})
      : name(name_of_all), format(blocked_format) {}

  const char* name;
  std::optional<int> format;
};

/// Returns the executor of an operator that needs temporary tensors. make(operands, staging) returns its kernels and
/// requests the tensors from the Staging. It is called once here to compute the size of the workspace, and again
/// whenever the kernels are built for a workspace.
template <typename Make>
std::shared_ptr<Executor> staged_executor(const StagedOperator& op, Executor::Operands operands, Make make) {
  const char* const name = op.name;
  Staging counted(name, nullptr);
  make(operands, counted);
  const std::uint64_t bytes = counted.bytes();
  auto build = [name, make, bytes](const Executor::Operands& bound) {
    Staging staging(name, bound.workspace);
    auto kernels = make(bound, staging);
    // Alignment decides whether a tensor needs a copy, so new addresses may need more than those of the first phase.
    check(staging.bytes() <= bytes, Code::kNnInvalid,
          "{} needs a workspace of {} bytes for these addresses; the first phase asked for {}.", name, staging.bytes(),
          bytes);
    return staging.around(std::move(kernels));
  };
  auto executor = std::make_shared<Executor>(name, std::move(operands), std::move(build), bytes);
  if (op.format) executor->takes_format(*op.format);
  return executor;
}

/// The overload for operators with TensorParameters: checks the memory of the tensors, then calls make(bound, staging).
template <typename Make>
std::shared_ptr<Executor> staged_executor(const StagedOperator& op, const TensorParameters& tensors, Make make) {
  return staged_executor(op, tensors.operands(), [tensors, make](const Executor::Operands& operands, Staging& staging) {
    const TensorParameters::BoundTensors bound(tensors, operands);
    bound.check_memory();
    return make(bound, staging);
  });
}

}  // namespace aclvk::ops
