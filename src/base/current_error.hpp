#pragma once

#include <new>
#include <string>

#include "base/error.hpp"

namespace aclvk {

/// In a catch block: what is handled there as an Error. Whoever keeps a failure for somebody else needs it: memory of
/// the host may run out anywhere, and that is no Error of ours.
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
