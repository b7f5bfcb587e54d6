// acl/rt/memory_link.h: links between the chips of a machine, which Vulkan does not expose.
#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/memory/memory_arguments.hpp"
#include "base/error.hpp"
#include "runtime/memory/memory_queries.hpp"

using namespace aclvk;
using namespace aclvk::api;

aclError aclrtMemP2PMap(void* devPtr, size_t size, int32_t dstDevId, uint64_t) {
  return guard(__func__, [&] {
    require(devPtr, "devPtr");
    require_size(size);
    runtime::refuse_peer_mapping(devPtr, size, dstDevId);
  });
}

aclError aclrtMemMapSelectedLink(void* virPtrDst, size_t size, void* virPtrSrc, uint32_t linkIdx) {
  return guard(__func__, [&] {
    require(virPtrDst, "virPtrDst");
    require(virPtrSrc, "virPtrSrc");
    require_size(size);
    check(linkIdx <= ACL_RT_MEM_LINK_IDX_1, Code::kParamInvalid, "linkIdx is {}; expected 0 or 1.", linkIdx);
    fail(Code::kFeatureNotSupported,
         "Memory is reached by the one way that the driver has to it; Vulkan does not let a program choose among links "
         "(linkIdx {}).",
         linkIdx);
  });
}

aclError aclrtMemMapSetLink(aclrtDrvMemHandle handle, aclrtMemLinkType adviceLink) {
  return guard(__func__, [&] {
    require(handle, "handle");
    check(adviceLink >= ACL_RT_MEM_ACCESS_LINK_SIO && adviceLink <= ACL_RT_MEM_ACCESS_UB_MULTI_PORT_PATH,
          Code::kParamInvalid, "adviceLink is {}; expected 0 to 3.", static_cast<int>(adviceLink));
    fail(Code::kFeatureNotSupported,
         "Link type {} (SIO, HCCS, UB) joins Ascend chips; Vulkan does not let a program choose the way to memory.",
         static_cast<int>(adviceLink));
  });
}
