#include "vk_device/modules/shader_capabilities.hpp"

#include <gtest/gtest.h>

namespace aclvk::vk {
namespace {

// Header, OpCapability Shader, OpCapability Float64, OpMemoryModel.
constexpr std::uint32_t kWords[] = {0x07230203, 0x10500,       0, 10, 0, 2U << 16 | 17, 1, 2U << 16 | 17,
                                    10,         3U << 16 | 14, 0, 1};
constexpr ShaderWords kShader{kWords, std::size(kWords)};

TEST(ShaderCapabilities, NamesWhatTheDeviceLacks) {
  EXPECT_EQ(missing_capability(kShader, Features{}), "64-bit floats");
}

TEST(ShaderCapabilities, IsSilentWhenTheDeviceHasIt) {
  Features features;
  features.float64 = true;
  EXPECT_FALSE(missing_capability(kShader, features));
}

}  // namespace
}  // namespace aclvk::vk
