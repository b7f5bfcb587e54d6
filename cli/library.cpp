#include "library.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "acl/acl.h"
#include "installation.hpp"

namespace cli {

Library::Library() {
  setenv("ASCEND_GLOBAL_LOG_LEVEL", "4", 0);  // errors are returned as codes here, and some of them are expected
  handle_ = dlopen(library_file().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) throw std::runtime_error(dlerror());
}

void* Library::address(const char* name) const {
  void* found = dlsym(handle_, name);
  if (found == nullptr) throw std::runtime_error(std::string(name) + " is not in " + library_file().string() + ".");
  return found;
}

void Library::check(int code, const char* what) const {
  if (code == ACL_SUCCESS) return;
  const char* sentence = CLI_FIND(*this, aclGetRecentErrMsg)();
  throw std::runtime_error(std::string(what) + " returns " + std::to_string(code) + ": " +
                           (sentence != nullptr ? sentence : "no more is known."));
}

}  // namespace cli
