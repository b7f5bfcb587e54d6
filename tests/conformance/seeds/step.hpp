#pragma once

#include <cstdio>
#include <cstring>

#include "acl/acl.h"

/// Makes a call and prints its name and code; the expected output says which code each call has.
#define STEP(call) print_step(#call, (call))

inline int print_step(const char* call, int code) {
  std::printf("%.*s %d\n", static_cast<int>(std::strcspn(call, "(")), call, code);
  return code;
}
