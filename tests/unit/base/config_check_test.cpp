#include "base/config_check.hpp"

#include <gtest/gtest.h>

namespace aclvk {
namespace {

TEST(ConfigCheck, WordsAreListed) {
  EXPECT_EQ(setting_error("ACLVK_COMPATIBILITY", "strict"), "");
  EXPECT_EQ(setting_error("ACLVK_COMPATIBILITY", "bogus"),
            "ACLVK_COMPATIBILITY is \"bogus\"; expected lenient or strict.");
  EXPECT_EQ(setting_error("ACLVK_RESERVED_ADDRESSES", "Host"),
            "ACLVK_RESERVED_ADDRESSES is \"Host\"; expected auto, host or sparse.");
  EXPECT_EQ(setting_error("ACLVK_HOST_VISIBLE", "yes"),
            "ACLVK_HOST_VISIBLE is \"yes\"; expected 0, 1, false, true, off or on.");
}

TEST(ConfigCheck, NumbersHaveARange) {
  EXPECT_EQ(setting_error("ACLVK_VALIDATION", "3"), "");
  EXPECT_EQ(setting_error("ACLVK_VALIDATION", "9"), "ACLVK_VALIDATION is \"9\"; expected a number from 0 to 3.");
  EXPECT_EQ(setting_error("ACLVK_CHECK_LIFETIME", "-1"), "");
  for (const char* text : {"0", "65", "1000000", "two", "2 ", "99999999999999999999"}) {
    EXPECT_NE(setting_error("ACLVK_DEVICES_PER_GPU", text), "") << text;
  }
}

TEST(ConfigCheck, WhatIsNotSetOrFreeIsRight) {
  EXPECT_EQ(setting_error("ACLVK_VALIDATION", ""), "");
  EXPECT_EQ(setting_error("ACLVK_DEVICE", "any name"), "");
  EXPECT_EQ(setting_error("ASCEND_GLOBAL_LOG_LEVEL", "9"), "");
}

}  // namespace
}  // namespace aclvk
