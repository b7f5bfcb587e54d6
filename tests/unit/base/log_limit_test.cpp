#include "base/log_limit.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace aclvk {
namespace {

TEST(LogLimit, AHundredLinesOfAKindAndThenPowersOfTen) {
  std::vector<std::uint64_t> written;
  for (int i = 0; i < 100000; ++i) {
    if (const std::uint64_t number = count_line("a call", 1)) written.push_back(number);
  }
  ASSERT_EQ(written.size(), 103u);
  EXPECT_EQ(written[99], 100u);
  EXPECT_EQ(written[100], 1000u);
  EXPECT_EQ(written[102], 100000u);
}

TEST(LogLimit, KindsAreCountedSeparately) {
  for (int i = 0; i < 200; ++i) count_line("one", 1);
  EXPECT_EQ(count_line("one", 1), 0u);
  EXPECT_EQ(count_line("one", 2), 1u);
  EXPECT_EQ(count_line("another", 1), 1u);
}

TEST(LogLimit, TheLastLineTellsThatOthersAreLeftOut) {
  EXPECT_EQ(limit_suffix(1), "");
  EXPECT_NE(limit_suffix(100).find("100 lines like this one so far"), std::string::npos);
  EXPECT_NE(limit_suffix(1000).find("1000 lines like this one so far"), std::string::npos);
}

}  // namespace
}  // namespace aclvk
