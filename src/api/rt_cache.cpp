#include "acl/acl_rt.h"
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "api/memory_arguments.hpp"
#include "base/error.hpp"

using namespace aclvk;
using namespace aclvk::api;

// A prefetch is a hint for the cache, and Vulkan has none to give: nothing has to happen for it to be obeyed. The other
// operations promise something, so they are refused.
aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType cmoType, aclrtStream stream) {
  return guard(__func__, [&] {
    require(src, "src");
    require_size(size);
    own_stream_of(stream);
    check(cmoType == ACL_RT_CMO_TYPE_PREFETCH, Code::kFeatureNotSupported,
          "Cache operation {} is not supported; expected PREFETCH (0).", static_cast<int>(cmoType));
  });
}
