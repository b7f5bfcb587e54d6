// acl/rt/memory_info.h: sizes and pointers (runtime-semantics 7.1.7, 7.3.1).
#include <algorithm>
#include <cstring>
#include <vector>

#include "acl/acl_rt.h"
#include "api/base/arrays.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/memory/memory_queries.hpp"
#include "runtime/memory/pointer_attributes.hpp"

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

aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo* memUsageInfo, size_t inputNum, size_t* outputNum) {
  return guard(__func__, [&] {
    require(memUsageInfo, "memUsageInfo");
    require(outputNum, "outputNum");
    check(inputNum != 0, Code::kParamInvalid, "inputNum is 0; room for one row at least is expected.");
    const auto rows = runtime::memory_usage(deviceId);
    *outputNum = std::min(inputNum, rows.size());
    for (size_t i = 0; i < *outputNum; ++i) {
      aclrtMemUsageInfo& info = memUsageInfo[i];
      info = {};
      std::strncpy(info.name, rows[i].name, sizeof(info.name) - 1);
      info.curMemSize = rows[i].usage.current;
      info.memPeakSize = rows[i].usage.peak;
    }
  });
}

aclError aclrtCheckMemType(void** addrList, uint32_t size, uint32_t memType, uint32_t* checkResult, uint32_t reserve) {
  return guard(__func__, [&] {
    require(addrList, "addrList");
    require(checkResult, "checkResult");
    check(size != 0, Code::kInvalidParam, "size is 0; at least one address is expected.");
    check(reserve == 0, Code::kInvalidParam, "reserve is {}; 0 is expected.", reserve);
    check_array(addrList, size, "addrList", Code::kInvalidParam);
    *checkResult = runtime::all_of_type(std::vector<const void*>(addrList, addrList + size), memType) ? 1 : 0;
  });
}
