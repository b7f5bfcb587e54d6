#include "acl/acl_rt.h"
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "runtime/memory.hpp"
#include "runtime/pointer_attributes.hpp"

using namespace aclvk;
using namespace aclvk::api;

aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes) {
  return guard(__func__, [&] {
    require(ptr, "ptr");
    require(attributes, "attributes");
    const auto known = runtime::attributes_of(ptr);
    *attributes = {{known.id, static_cast<aclrtMemLocationType>(known.location_type)}, known.page_size, {}};
  });
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  return guard(__func__, [&] {
    require(free, "free");
    require(total, "total");
    const auto budget = runtime::memory_budget(attr);
    *free = budget.free;
    *total = budget.total;
  });
}

aclError aclrtMemGetAddressRange(void* ptr, void** pbase, size_t* psize) {
  return guard(__func__, [&] {
    require(ptr, "ptr");
    require(pbase, "pbase");
    require(psize, "psize");
    const auto range = runtime::range_of(ptr);
    *pbase = range.start;
    *psize = range.bytes;
  });
}
