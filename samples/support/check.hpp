#pragma once

#include <cstdio>
#include <cstdlib>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

/// Ends the program with the library's message when a call does not return 0.
#define CHECK(call) check_code((call), #call)

inline void check_code(int code, const char* call) {
  if (code == 0) return;
  const char* sentence = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s answers %d: %s\n", call, code, sentence ? sentence : "no message");
  std::exit(1);
}

/// Runs both phases of an operator: plans it, allocates its workspace, launches it on the stream. A captured kernel
/// uses its workspace in every replay, so the workspace is not freed; aclrtResetDevice frees it.
#define LAUNCH(op, stream, ...)                                                      \
  do {                                                                               \
    uint64_t bytes = 0;                                                              \
    aclOpExecutor* executor = nullptr;                                               \
    void* workspace = nullptr;                                                       \
    CHECK(op##GetWorkspaceSize(__VA_ARGS__, &bytes, &executor));                     \
    if (bytes > 0) CHECK(aclrtMalloc(&workspace, bytes, ACL_MEM_MALLOC_HUGE_FIRST)); \
    CHECK(op(workspace, bytes, executor, stream));                                   \
  } while (false)
