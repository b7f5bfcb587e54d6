// aclSetCompileopt, aclGetCompileopt: options of the compiler of operators.
#include <gtest/gtest.h>

#include <string>

#include "acl/acl_op_compiler.h"

namespace {

std::string option(aclCompileOpt name) {
  std::string text(aclGetCompileoptSize(name), '?');
  EXPECT_EQ(aclGetCompileopt(name, text.data(), text.size()), 0);
  EXPECT_EQ(text.back(), '\0');
  text.pop_back();
  return text;
}

TEST(CompileOptions, NothingIsCompiledAnewByDefault) { EXPECT_EQ(option(ACL_OP_JIT_COMPILE), "disable"); }

TEST(CompileOptions, WhatIsSetIsKept) {
  EXPECT_EQ(aclSetCompileopt(ACL_OP_JIT_COMPILE, "enable"), 0);
  EXPECT_EQ(option(ACL_OP_JIT_COMPILE), "enable");
  EXPECT_EQ(aclSetCompileopt(ACL_OP_JIT_COMPILE, "disable"), 0);
  EXPECT_EQ(aclSetCompileopt(ACL_OP_DEBUG_OPTION, "oom"), 0);
  EXPECT_EQ(option(ACL_OP_JIT_COMPILE), "disable");
  EXPECT_EQ(option(ACL_OP_DEBUG_OPTION), "oom");
}

TEST(CompileOptions, OneThatIsNotSetHasNoLength) {
  char text[8] = "before";
  EXPECT_EQ(aclGetCompileoptSize(ACL_AICORE_NUM), 0U);
  EXPECT_EQ(aclGetCompileopt(ACL_AICORE_NUM, text, sizeof(text)), ACL_ERROR_INVALID_PARAM);
  EXPECT_STREQ(text, "before");
}

TEST(CompileOptions, AreChecked) {
  char text[8] = {};
  const auto beyond = static_cast<aclCompileOpt>(17);
  EXPECT_EQ(aclSetCompileopt(ACL_OP_JIT_COMPILE, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetCompileopt(ACL_OP_JIT_COMPILE, "sometimes"), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclSetCompileopt(beyond, "enable"), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetCompileoptSize(beyond), 0U);
  EXPECT_EQ(aclGetCompileopt(beyond, text, sizeof(text)), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetCompileopt(ACL_OP_JIT_COMPILE, nullptr, 8), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetCompileopt(ACL_OP_JIT_COMPILE, text, 7), ACL_ERROR_INVALID_PARAM) << "no room for the NUL";
  EXPECT_EQ(aclGetCompileopt(ACL_OP_JIT_COMPILE, text, 8), 0);
}

}  // namespace
