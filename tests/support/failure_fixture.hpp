#pragma once

#include "support/capture_fixture.hpp"

namespace aclvk::test {

constexpr aclError kFailed = ACL_ERROR_RT_AICORE_EXCEPTION;

/// Lets the kernel of aclnnAdds fail on the device (ACLVK_FAIL_KERNEL).
class Failure : Settings, public OneStream {
 protected:
  Failure() : Settings({{"ACLVK_FAIL_KERNEL", "aclnnAdds"}}) {}

  static void fail(const Cell& untouched, aclrtStream stream) {
    EXPECT_EQ(add(untouched, 1, untouched, stream), 0) << aclGetRecentErrMsg();
  }
  static std::int32_t id_of(aclrtStream stream) {
    std::int32_t id = -1;
    EXPECT_EQ(aclrtStreamGetId(stream, &id), 0);
    return id;
  }
};

}  // namespace aclvk::test
