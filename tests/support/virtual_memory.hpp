#pragma once

#include <gtest/gtest.h>

#include <cstddef>

#include "acl/acl.h"

namespace aclvk::test {

constexpr std::size_t kChunk = std::size_t{2} << 20;  ///< a huge page: the unit of physical memory

inline aclrtPhysicalMemProp device_properties(aclrtMemAttr attribute = ACL_HBM_MEM_HUGE) {
  aclrtPhysicalMemProp prop{};
  prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  prop.memAttr = attribute;
  prop.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  return prop;
}

/// Address space for some chunks, until the end of the scope.
class Reservation {
 public:
  explicit Reservation(std::size_t chunks) {
    void* start = nullptr;
    EXPECT_EQ(aclrtReserveMemAddress(&start, chunks * kChunk, 0, nullptr, 0), 0) << aclGetRecentErrMsg();
    start_ = static_cast<char*>(start);
  }
  ~Reservation() { EXPECT_EQ(aclrtReleaseMemAddress(start_), 0) << aclGetRecentErrMsg(); }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  char* at(std::size_t chunk) const { return start_ + chunk * kChunk; }

 private:
  char* start_ = nullptr;
};

/// Physical memory of the device, until the end of the scope.
class Physical {
 public:
  explicit Physical(std::size_t bytes = kChunk) {
    const aclrtPhysicalMemProp prop = device_properties();
    EXPECT_EQ(aclrtMallocPhysical(&handle_, bytes, &prop, 0), 0) << aclGetRecentErrMsg();
  }
  ~Physical() { EXPECT_EQ(aclrtFreePhysical(handle_), 0); }
  Physical(const Physical&) = delete;
  Physical& operator=(const Physical&) = delete;

  aclrtDrvMemHandle get() const { return handle_; }

 private:
  aclrtDrvMemHandle handle_ = nullptr;
};

/// A mapping, until the end of the scope.
class Mapped {
 public:
  Mapped(void* at, const Physical& memory, std::size_t bytes = kChunk) : at_(at) {
    EXPECT_EQ(aclrtMapMem(at, bytes, 0, memory.get(), 0), 0) << aclGetRecentErrMsg();
  }
  ~Mapped() { EXPECT_EQ(aclrtUnmapMem(at_), 0); }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

 private:
  void* at_;
};

}  // namespace aclvk::test
