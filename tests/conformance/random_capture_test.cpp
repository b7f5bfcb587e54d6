// Random captured and built models, with host steps of all kinds among device work on several streams: whatever the
// order in which a replay does them, memory holds what it holds when one task runs after the other, and host functions
// have seen the same. ACLVK_RANDOM_CAPTURES=n tries n more programs, from the seed ACLVK_RANDOM_CAPTURES_FIRST on.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "support/random_capture/checker.hpp"

namespace aclvk::test {
namespace {

class RandomCapture : public testing::Test {
 protected:
  RandomCapture() {
    EXPECT_EQ(aclInit(nullptr), 0);
    EXPECT_EQ(aclrtSetDevice(0), 0);
  }
  ~RandomCapture() override {
    EXPECT_EQ(aclrtResetDeviceForce(0), 0);
    EXPECT_EQ(aclFinalize(), 0);
  }

  static void check(unsigned first, unsigned count) {
    for (unsigned seed = first; seed < first + count; ++seed) {
      const std::string wrong = random_capture::check(seed);
      EXPECT_TRUE(wrong.empty()) << wrong;
      if (!wrong.empty()) break;  // the first one says enough
    }
  }
};

unsigned number(const char* name, unsigned otherwise) {
  const char* text = std::getenv(name);
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : otherwise;
}

class RandomCaptures : public RandomCapture, public testing::WithParamInterface<unsigned> {};

TEST_P(RandomCaptures, EndAsOneTaskAfterTheOther) { check(GetParam(), 20); }

INSTANTIATE_TEST_SUITE_P(Seeds, RandomCaptures, testing::Range(0U, 200U, 20U), testing::PrintToStringParamName());

TEST_F(RandomCapture, MoreOfThem) {
  const unsigned count = number("ACLVK_RANDOM_CAPTURES", 0);
  if (count == 0) GTEST_SKIP() << "ACLVK_RANDOM_CAPTURES is not set";
  check(number("ACLVK_RANDOM_CAPTURES_FIRST", 200), count);
}

}  // namespace
}  // namespace aclvk::test
