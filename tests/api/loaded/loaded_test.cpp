// Functions that no header declares (interface/loaded.tsv), as programs find them: by name.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "acl/acl.h"

namespace {

template <typename Function>
Function* found(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

TEST(Loaded, ReportsHaveNoReader) {
  const char data[16] = {};
  auto* callback = found<std::int32_t(std::uint32_t, std::int32_t(*)(std::uint32_t, void*, std::uint32_t))>(
      "MsprofRegisterCallback");
  ASSERT_NE(callback, nullptr);
  EXPECT_EQ(callback(45, [](std::uint32_t, void*, std::uint32_t) -> std::int32_t { std::abort(); }), 0);
  EXPECT_EQ(found<std::int32_t(std::uint32_t, const void*)>("MsprofReportApi")(0, data), 0);
  for (const char* name : {"MsprofReportCompactInfo", "MsprofReportAdditionalInfo"}) {
    EXPECT_EQ(found<std::int32_t(std::uint32_t, const void*, std::uint32_t)>(name)(0, data, sizeof(data)), 0);
  }
}

TEST(Loaded, HashesOfDifferentTextsDiffer) {
  auto* hash = found<std::uint64_t(const char*, std::size_t)>("MsprofGetHashId");
  ASSERT_NE(hash, nullptr);
  EXPECT_EQ(hash("a", 1), 0xAF63DC4C8601EC8CU) << "a published value of FNV-1a";
  EXPECT_EQ(hash("foobar", 6), 0x85944171F73967E8U);
  EXPECT_EQ(hash("foobar", 3), hash("foo", 3));
  EXPECT_EQ(hash(nullptr, 3), 0U);
}

TEST(Loaded, CyclesContinue) {
  auto* time = found<std::uint64_t()>("MsprofSysCycleTime");
  ASSERT_NE(time, nullptr);
  const std::uint64_t before = time();
  EXPECT_GT(before, 0U);
  while (time() == before) {
  }
  EXPECT_GT(time(), before);
}

TEST(Loaded, KernelsOfNpuCoresAreRefused) {
  void* handle = nullptr;
  EXPECT_EQ(found<std::int32_t(const void*, void**)>("rtDevBinaryRegister")("", &handle), 207000);
  EXPECT_EQ(handle, nullptr);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("rtDevBinaryRegister"), std::string::npos);
  using Register = std::int32_t(void*, const void*, const char*, const void*, std::uint32_t);
  EXPECT_EQ(found<Register>("rtFunctionRegister")(nullptr, nullptr, "kernel", nullptr, 0), 207000);
  using Run = std::int32_t(const void*, std::uint32_t, void*, std::uint32_t, void*, void*);
  EXPECT_EQ(found<Run>("rtKernelLaunch")(nullptr, 1, nullptr, 0, nullptr, nullptr), 207000);
  std::uint64_t address = 7;
  std::uint32_t length = 7;
  EXPECT_EQ(found<std::int32_t(std::uint64_t*, std::uint32_t*)>("rtGetC2cCtrlAddr")(&address, &length), 207000);
  EXPECT_EQ(address, 7U);
}

TEST(Loaded, DriversReturnWhatThereIs) {
  std::uint32_t devices = 0;
  ASSERT_EQ(aclInit(nullptr), 0);
  ASSERT_EQ(aclrtGetDeviceCount(&devices), 0);
  std::uint32_t count = 0;
  EXPECT_EQ(found<std::int32_t(std::uint32_t*)>("drvGetDevNum")(&count), 0);
  EXPECT_EQ(count, devices);
  EXPECT_EQ(found<std::int32_t(std::uint32_t*)>("drvGetDevNum")(nullptr), 3);
  std::int32_t version = 0;
  EXPECT_EQ(found<std::int32_t(std::int32_t*)>("halGetAPIVersion")(&version), 0);
  EXPECT_EQ(version, ACL_MAJOR_VERSION << 16 | ACL_MINOR_VERSION << 8 | ACL_PATCH_VERSION);
  EXPECT_EQ(found<std::int32_t(std::int32_t*)>("halGetAPIVersion")(nullptr), 3);
  using Info = std::int32_t(std::uint32_t, std::int32_t, std::int32_t, std::int64_t*);
  std::int64_t value = 7;
  EXPECT_EQ(found<Info>("halGetDeviceInfo")(0, 0, 26, &value), 0xFFFE);
  EXPECT_EQ(value, 7);
  EXPECT_EQ(found<Info>("halGetDeviceInfo")(0, 0, 26, nullptr), 3);
  EXPECT_EQ(aclFinalize(), 0);
}

}  // namespace
