#include "vk_device/gpu/vk_error.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <string>

namespace aclvk::vk {
namespace {

std::string sentence_of(::vk::Result result) {
  try {
    fail_vulkan(result, "allocating 5 bytes");
  } catch (const Error& error) {
    return error.sentence();
  }
}

/// Leaves the process without free file descriptors until the end of its scope.
class NoFiles {
 public:
  NoFiles() {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit none = before_;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoFiles() { setrlimit(RLIMIT_NOFILE, &before_); }
  NoFiles(const NoFiles&) = delete;
  NoFiles& operator=(const NoFiles&) = delete;

 private:
  rlimit before_{};
};

TEST(VulkanError, NamesTheResult) {
  EXPECT_EQ(sentence_of(::vk::Result::eErrorOutOfDeviceMemory),
            "Vulkan answers ErrorOutOfDeviceMemory when allocating 5 bytes.");
}

TEST(VulkanError, ReportsExhaustedFileDescriptors) {
  const NoFiles none;
  EXPECT_NE(sentence_of(::vk::Result::eErrorOutOfDeviceMemory).find("may not open more files"), std::string::npos);
  EXPECT_EQ(sentence_of(::vk::Result::eErrorDeviceLost), "Vulkan answers ErrorDeviceLost when allocating 5 bytes.");
}

}  // namespace
}  // namespace aclvk::vk
