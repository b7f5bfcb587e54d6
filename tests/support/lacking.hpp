#pragma once

#include <gtest/gtest.h>

#include <string>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"

namespace aclvk::test {

/// The driver lacks what an operator needs (64-bit integers, half floats), which a launch tells by 361001: ends the
/// test as skipped, with the sentence that a program gets.
inline void skip_if_lacking(aclnnStatus launched) {
  constexpr aclnnStatus kRuntimeError = 361001;
  if (launched != kRuntimeError) return;
  const char* message = aclGetRecentErrMsg();  // a second call returns NULL
  const std::string sentence = message ? message : "";
  if (sentence.find("which this driver does not have") == std::string::npos) {
    FAIL() << "the launch answered 361001: " << sentence;
  }
  [&] { GTEST_SKIP() << sentence; }();
  throw testing::AssertionException(testing::TestPartResult(testing::TestPartResult::kSkip, __FILE__, __LINE__, ""));
}

}  // namespace aclvk::test
