#pragma once

#include "api/guard.hpp"

namespace aclvk::api {

/// The shape of functions that return a new handle: what `make` returns, or NULL with a sentence when it throws.
template <typename Handle, typename Make>
Handle* created(const char* function, Make&& make) {
  void* handle = nullptr;
  guard_host(function, [&] { handle = make(); });
  return static_cast<Handle*>(handle);
}

}  // namespace aclvk::api
