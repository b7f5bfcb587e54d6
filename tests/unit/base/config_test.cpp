#include "base/config.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace aclvk {
namespace {

class ConfigTest : public testing::Test {
 protected:
  void TearDown() override {
    for (const char* name : kChanged) unsetenv(name);
    reload_config();
  }
  static long wait_with(const char* text) {
    setenv("ACLVK_SNAPSHOT_WAIT_MS", text, 1);
    reload_config();
    return config().snapshot_wait_ms;
  }
  static constexpr long kPreset = 10000;
  static constexpr const char* kChanged[] = {"ACLVK_SNAPSHOT_WAIT_MS", "ACLVK_HOST_VISIBLE", "ACLVK_FORCE_ADDRESSES",
                                             "ACLVK_SOC_NAME"};
};

TEST_F(ConfigTest, EmptyVariablesHaveTheirDefaults) {
  for (const char* name : kChanged) setenv(name, "", 1);
  reload_config();
  EXPECT_EQ(config().snapshot_wait_ms, kPreset);
  EXPECT_TRUE(config().host_visible) << "on by default";
  EXPECT_FALSE(config().force_addresses) << "off by default";
  EXPECT_EQ(config().soc_name, "Ascend910B1");
  EXPECT_EQ(config().first_error, "");
}

TEST_F(ConfigTest, NumbersAreWholeTexts) {
  EXPECT_EQ(wait_with("20"), 20);
  EXPECT_EQ(wait_with("-1"), -1);
  EXPECT_EQ(wait_with(""), kPreset);
  EXPECT_EQ(wait_with("20 ms"), kPreset);
  EXPECT_EQ(wait_with("many"), kPreset);
}

// Settings are times and counts that enter arithmetic, so they have 32 bits.
TEST_F(ConfigTest, NumbersHave32Bits) {
  EXPECT_EQ(wait_with("2147483647"), 2147483647);
  EXPECT_EQ(wait_with("-2147483648"), -2147483648);
  EXPECT_EQ(wait_with("2147483648"), kPreset);
  EXPECT_EQ(wait_with("9223372036854775807"), kPreset);
  EXPECT_EQ(wait_with("99999999999999999999"), kPreset);
  EXPECT_EQ(wait_with("-99999999999999999999"), kPreset);
}

}  // namespace
}  // namespace aclvk
