#pragma once

#include <gtest/gtest.h>

#include <string>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"

namespace aclvk::test {

/// Skips the test when a launch answers 361001 because the driver lacks a feature of the operator (64-bit integers,
/// half floats).
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
