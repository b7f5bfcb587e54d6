#pragma once

#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "ops/executor.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

/// The executor of kernels that are made with the help of a Staging. What it needs is found out by making them once.
template <typename Make>
std::shared_ptr<Executor> staged_executor(const char* name, Executor::Operands operands, Make make) {
  Staging counted(name, nullptr);
  make(operands, counted);
  auto build = [name, make](const Executor::Operands& now) {
    Staging staging(name, now.workspace);
    return staging.around(make(now, staging));
  };
  return std::make_shared<Executor>(name, std::move(operands), std::move(build), counted.bytes());
}

}  // namespace aclvk::ops
