#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "aclnn/aclnn_base.h"
#include "api/base/guard.hpp"
#include "base/error.hpp"
#include "ops/executor/handles.hpp"
#include "runtime/dump/active_dumps.hpp"

namespace aclvk::api {

/// Throws kNnRuntime when the thread has no device: plans depend on it.
void check_has_device(const char* function);

/// The first phase of an operator: `make` checks its parameters and returns the executor. NULL results are refused
/// before anything else, a thread without a device after everything else. `describe` passes the arguments to a
/// TensorNumbers, and to a CallArguments while a dump is active.
template <typename Make, typename Describe>
aclnnStatus plan(const char* function, std::uint64_t* workspace_size, aclOpExecutor** executor, Make&& make,
                 Describe&& describe) noexcept {
  return guard(function, [&] {
    ops::require(workspace_size, "workspaceSize");
    ops::require(executor, "executor");
    const std::shared_ptr<ops::Executor> made = make();
    describe(made->parameters());
    made->check_formats();
    made->check_outputs();
    check_has_device(function);
    if (runtime::dump_active()) {
      ops::CallArguments arguments;
      describe(arguments);
      made->describe(std::move(arguments));
    }
    *executor = static_cast<aclOpExecutor*>(ops::executor_handles().insert(made));
    *workspace_size = made->workspace_bytes();
    made->take_effect();
  });
}

/// Throws `error` with a code of operators: a code of the runtime becomes kNnRuntime (361001) and its sentence is kept.
/// Called inside a catch block.
[[noreturn]] void throw_for_operator(std::string_view name, const Error& error);

/// Runs `body`; its errors get codes of operators.
template <typename Body>
void with_operator_codes(std::string_view name, Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    throw_for_operator(name, error);
  }
}

/// The second phase of every operator. Consumes the executor, also on failure, unless it is repeatable.
aclnnStatus launch(const char* function, void* workspace, std::uint64_t workspace_size, aclOpExecutor* executor,
                   aclrtStream stream) noexcept;

}  // namespace aclvk::api
