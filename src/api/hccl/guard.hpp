#pragma once

#include "api/base/guard.hpp"
#include "hccl/hccl_types.h"

namespace aclvk::api {

/// Handles the current exception of a guard of collectives: logs it, stores the sentence for aclGetRecentErrMsg and
/// returns the HcclResult. Errors of the runtime become HCCL_E_MEMORY for exhausted memory and HCCL_E_RUNTIME
/// otherwise. Called inside a catch block.
HcclResult report_comm_exception(const char* function) noexcept;

/// guard_host for functions that return an HcclResult.
template <typename Body>
HcclResult hccl_guard_host(const char* function, Body&& body) noexcept {
  const runtime::profile::CallTimer timer(function);
  try {
    body();
    return HCCL_SUCCESS;
  } catch (...) {
    return report_comm_exception(function);
  }
}

/// guard for functions that return an HcclResult.
template <typename Body>
HcclResult hccl_guard(const char* function, Body&& body) noexcept {
  return hccl_guard_host(function, [&] {
    check_devices_usable();
    body();
  });
}

}  // namespace aclvk::api
