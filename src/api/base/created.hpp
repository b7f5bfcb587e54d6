#pragma once

#include "api/base/guard.hpp"

namespace aclvk::api {

/// The guard of functions that return a new handle: returns the result of `make`, or NULL when it throws.
template <typename Handle, typename Make>
Handle* created(const char* function, Make&& make) {
  void* handle = nullptr;
  guard_host(function, [&] { handle = make(); });
  return static_cast<Handle*>(handle);
}

}  // namespace aclvk::api
