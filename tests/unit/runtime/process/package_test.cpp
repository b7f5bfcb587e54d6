#include "runtime/process/package.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace aclvk::runtime {
namespace {

std::int32_t number(const char* text) { return parse_version(text).number(); }

TEST(PackageVersion, CountsMajorMinorAndRelease) {
  EXPECT_EQ(number("9.0.0"), 90000000);
  EXPECT_EQ(number("8.5.3"), 80503000);
  EXPECT_EQ(number("25.2"), 250200000);
}

TEST(PackageVersion, PutsWhatComesBeforeAReleaseBelowIt) {
  EXPECT_LT(number("9.0.0.alpha001"), number("9.0.0.alpha002"));
  EXPECT_LT(number("9.0.0.alpha002"), number("9.0.0.beta1"));
  EXPECT_LT(number("9.0.0.beta1"), number("9.0.0.rc1"));
  EXPECT_LT(number("9.0.0.rc1"), number("9.0.0"));
  EXPECT_LT(number("9.0.RC1"), number("9.0.RC2"));
  EXPECT_LT(number("9.0.RC1.alpha001"), number("9.0.RC1"));
  EXPECT_LT(number("8.9.9"), number("9.0.RC1.alpha001"));
}

TEST(PackageVersion, KeepsWhatFollowsTheThirdPoint) {
  const Version version = parse_version("9.1.RC1.beta.2");
  EXPECT_EQ(version.major, "9");
  EXPECT_EQ(version.minor, "1");
  EXPECT_EQ(version.release, "RC1");
  EXPECT_EQ(version.patch, "beta.2");
}

TEST(PackageVersion, NeedsTwoNumbersInRange) {
  EXPECT_THROW(number("nine"), Error);
  EXPECT_THROW(number("9"), Error);
  EXPECT_THROW(number("9.x"), Error);
  EXPECT_THROW(number("999999.0.0"), Error);
  EXPECT_THROW(number("9.100.0"), Error);
  EXPECT_THROW(number("9.0.100"), Error);
  EXPECT_THROW(number("9.0.RC100"), Error);
  EXPECT_THROW(number("9.0.RC2147483647"), Error);
  EXPECT_THROW(number("9.0.0.alpha100"), Error);
  EXPECT_THROW(number(""), Error);
}

}  // namespace
}  // namespace aclvk::runtime
