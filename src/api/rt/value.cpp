// acl/rt/value.h: words of device memory that streams write and wait for (capture-semantics 7.7).
#include "runtime/signal/value.hpp"

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"

using namespace aclvk;
using namespace aclvk::api;

aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  return guard(__func__, [&] {
    require(devAddr, "devAddr");
    runtime::write_value(*own_stream_of(stream), devAddr, value, flag);
  });
}

aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  return guard(__func__, [&] {
    require(devAddr, "devAddr");
    runtime::wait_value(*own_stream_of(stream), devAddr, value, flag);
  });
}
