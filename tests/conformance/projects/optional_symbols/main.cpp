// Links nothing: opens the libraries when it runs, and takes functions of later versions where they are there.
#include <dlfcn.h>

#include <cstdio>

#include "acl/acl.h"

namespace {

void* open_library(const char* name) {
  void* library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) std::printf("%s\n", dlerror());
  return library;
}

template <typename Function>
Function* find(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

int main() {
  void* runtime = open_library("libacl_rt.so");
  void* first = open_library("libascendcl.so");
  void* operators = open_library("libopapi.so");
  if (runtime == nullptr || first == nullptr || operators == nullptr) return 1;

  auto* init = find<decltype(aclInit)>(first, "aclInit");
  auto* count = find<decltype(aclrtGetDeviceCount)>(runtime, "aclrtGetDeviceCount");
  auto* finalize = find<decltype(aclFinalize)>(first, "aclFinalize");
  if (init == nullptr || count == nullptr || finalize == nullptr) return 2;
  if (find<int()>(operators, "aclnnAddGetWorkspaceSize") == nullptr) return 3;
  if (find<int()>(runtime, "aclmdlRICaptureGetInfo") == nullptr) return 4;
  if (find<int()>(operators, "aclnnOfAYearToComeGetWorkspaceSize") != nullptr) return 5;

  uint32_t devices = 0;
  if (init(nullptr) != ACL_SUCCESS || count(&devices) != ACL_SUCCESS || devices == 0) return 6;
  std::printf("There are devices.\n");
  return finalize() == ACL_SUCCESS ? 0 : 7;
}
