#pragma once

#include <new>
#include <string>

#include "base/error.hpp"

namespace aclvk {

/// Returns the exception of the current catch block as an Error; std::bad_alloc becomes kMemoryAllocation. For code
/// that stores a failure and reports it later.
inline Error current_error() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(Code::kMemoryAllocation, "The host has no memory left.");
  } catch (const std::exception& exception) {
    return Error(Code::kRuntimeInternal, std::string("An unexpected exception: ") + exception.what());
  }
}

}  // namespace aclvk
