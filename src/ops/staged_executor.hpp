#pragma once

#include <memory>
#include <utility>

#include "base/error.hpp"
#include "ops/executor.hpp"
#include "ops/staging.hpp"
#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

/// The executor of kernels that make(now, staging) makes with the help of a Staging. What it needs is found out by
/// making them once.
template <typename Make>
std::shared_ptr<Executor> staged_executor(const char* name, Executor::Operands operands, Make make) {
  Staging counted(name, nullptr);
  make(operands, counted);
  const std::uint64_t bytes = counted.bytes();
  auto build = [name, make, bytes](const Executor::Operands& now) {
    Staging staging(name, now.workspace);
    auto kernels = make(now, staging);
    // Where tensors lie decides whether some need a copy; other addresses may need more than those of the first phase.
    check(staging.bytes() <= bytes, Code::kNnInvalid,
          "{} needs a workspace of {} bytes for these addresses; the first phase asked for {}.", name, staging.bytes(),
          bytes);
    return staging.around(std::move(kernels));
  };
  return std::make_shared<Executor>(name, std::move(operands), std::move(build), bytes);
}

/// The same for an operator that named its tensors; `make` gets those of the run.
template <typename Make>
std::shared_ptr<Executor> staged_executor(const char* name, const TensorParameters& tensors, Make make) {
  return staged_executor(name, tensors.operands(),
                         [tensors, make](const Executor::Operands& operands, Staging& staging) {
                           const TensorParameters::Now now(tensors, operands);
                           now.check_memory();
                           return make(now, staging);
                         });
}

}  // namespace aclvk::ops
