#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <string>

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

/// Reserved addresses have to be those of a sparse buffer, as on a GPU; see the variant in tests/CMakeLists.txt.
inline bool wants_sparse_addresses() {
  const char* wanted = std::getenv("ACLVK_RESERVED_ADDRESSES");
  return wanted && wanted == std::string("sparse");
}

/// Returns whether a run that asks for sparse buffers has a driver without them. Other runs are never skipped.
inline bool lacks_sparse_buffers() {
  void* start = nullptr;
  if (!wants_sparse_addresses()) return false;
  const int code = aclrtReserveMemAddress(&start, kChunk, 0, nullptr, 0);
  if (code == 0) aclrtReleaseMemAddress(start);
  return code == ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
}

constexpr const char* kNoSparseBuffers = "the driver has no sparse buffers (sparseBinding, sparseResidencyBuffer)";

/// Returns whether the host can access mapped memory at its reserved address: only then can memory of the host be
/// mapped.
inline bool host_sees_reserved_addresses() {
  aclrtPhysicalMemProp prop = device_properties(ACL_DDR_MEM_NORMAL);
  prop.location = {0, ACL_MEM_LOCATION_TYPE_HOST};
  aclrtDrvMemHandle handle = nullptr;
  const int code = aclrtMallocPhysical(&handle, 4096, &prop, 0);
  if (code == 0) aclrtFreePhysical(handle);
  return code != ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
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
