#pragma once

#include "api/guard.hpp"
#include "hccl/hccl_types.h"

namespace aclvk::api {

/// The same for functions that answer with an HcclResult: logs the exception, keeps the sentence for
/// aclGetRecentErrMsg. What has failed below becomes HCCL_E_MEMORY where memory is exhausted, HCCL_E_RUNTIME elsewhere.
/// Called inside a catch block.
HcclResult report_comm_exception(const char* function) noexcept;

/// guard_host for functions that answer with an HcclResult.
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

/// guard for functions that answer with an HcclResult.
template <typename Body>
HcclResult hccl_guard(const char* function, Body&& body) noexcept {
  return hccl_guard_host(function, [&] {
    check_devices_usable();
    body();
  });
}

}  // namespace aclvk::api
