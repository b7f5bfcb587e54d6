// acl/rt/overflow.h (runtime-semantics 9). Arguments are checked although nothing detects overflow here, so that
// mistakes of a program show.
#include "runtime/context/overflow.hpp"

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"

using namespace aclvk;
using api::guard;
using api::own_stream_of;
using api::require;

namespace {

int read_status(const char* function, void* output, uint64_t bytes, aclrtStream stream) {
  return guard(function, [&] {
    require(output, "outputAddr");
    runtime::read_overflow_status(*own_stream_of(stream), bytes);
  });
}

int reset_status(const char* function, aclrtStream stream) {
  return guard(function, [&] { runtime::reset_overflow_status(*own_stream_of(stream)); });
}

}  // namespace

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) {
  return guard(__func__, [&] { runtime::set_saturation_mode(mode); });
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode) {
  return guard(__func__, [&] {
    require(mode, "mode");
    *mode = ACL_RT_OVERFLOW_MODE_INFNAN;
  });
}

aclError aclrtGetOverflowStatus(void* outputAddr, size_t outputSize, aclrtStream stream) {
  return read_status(__func__, outputAddr, outputSize, stream);
}

aclError aclrtResetOverflowStatus(aclrtStream stream) { return reset_status(__func__, stream); }

aclError aclrtCtxGetFloatOverflowAddr(void** overflowAddr) {
  return guard(__func__, [&] {
    require(overflowAddr, "overflowAddr");
    runtime::current_context();
    runtime::refuse_overflow_detection();
  });
}

aclError aclrtGetFloatOverflowStatus(void* outputAddr, uint64_t outputSize, aclrtStream stream) {
  return read_status(__func__, outputAddr, outputSize, stream);
}

aclError aclrtResetFloatOverflowStatus(aclrtStream stream) { return reset_status(__func__, stream); }

// checkMode selects among the overflow flags of a board; without a flag every mode has the same answer.

aclError aclrtNpuGetFloatOverFlowStatus(void* outputAddr, uint64_t outputSize, uint32_t, aclrtStream stream) {
  return read_status(__func__, outputAddr, outputSize, stream);
}

aclError aclrtNpuClearFloatOverFlowStatus(uint32_t, aclrtStream stream) { return reset_status(__func__, stream); }
