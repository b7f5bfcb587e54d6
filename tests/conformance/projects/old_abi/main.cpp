#include <string>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_add.h"
// clang-format off: after the headers, as this style finds them
#include "../add.hpp"
// clang-format on

#if _GLIBCXX_USE_CXX11_ABI
#error "This is the program for the older strings."
#endif

int main() {
  const std::string soc = aclrtGetSocName() != nullptr ? aclrtGetSocName() : "";
  return add_on_device();
}
