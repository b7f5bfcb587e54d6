#pragma once

#include <cstdint>
#include <memory>

#include "aclnn/aclnn_base.h"
#include "api/guard.hpp"
#include "ops/handles.hpp"

namespace aclvk::api {

/// The first phase: `make` checks and plans. NULL results are refused before anything else.
template <typename Make>
aclnnStatus plan(const char* function, std::uint64_t* workspace_size, aclOpExecutor** executor, Make&& make) noexcept {
  return guard(function, [&] {
    ops::require(workspace_size, "workspaceSize");
    ops::require(executor, "executor");
    const std::shared_ptr<ops::Executor> made = make();
    *executor = static_cast<aclOpExecutor*>(ops::executor_handles().insert(made));
    *workspace_size = made->workspace_bytes();
  });
}

/// The second phase, the same for every operator: uses the executor up, also when it fails, unless it is repeatable.
aclnnStatus launch(const char* function, void* workspace, std::uint64_t workspace_size, aclOpExecutor* executor,
                   aclrtStream stream) noexcept;

}  // namespace aclvk::api

/// Defines the second phase of an operator.
#define ACLVK_LAUNCH(function)                                                                        \
  aclnnStatus function(void* workspace, uint64_t size, aclOpExecutor* executor, aclrtStream stream) { \
    return aclvk::api::launch(#function, workspace, size, executor, stream);                          \
  }
