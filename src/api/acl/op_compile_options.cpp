// acl/acl_op_compiler.h: options of the compiler of operators.
#include <optional>
#include <string>

#include "acl/acl_op_compiler.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/process/compile_options.hpp"

using namespace aclvk;
using api::guard_host;
using api::require;

aclError aclSetCompileopt(aclCompileOpt opt, const char* value) {
  return guard_host(__func__, [&] {
    require(value, "value");
    runtime::compile_options().set(opt, value);
  });
}

size_t aclGetCompileoptSize(aclCompileOpt opt) {
  size_t size = 0;
  guard_host(__func__, [&] {
    const std::optional<std::string> value = runtime::compile_options().get(opt);
    if (value) size = value->size() + 1;
  });
  return size;
}

aclError aclGetCompileopt(aclCompileOpt opt, char* value, size_t length) {
  return guard_host(__func__, [&] {
    require(value, "value");
    const std::optional<std::string> text = runtime::compile_options().get(opt);
    check(text.has_value(), Code::kInvalidParam, "Option {} of the compiler has not been set.", static_cast<int>(opt));
    check(length > text->size(), Code::kInvalidParam, "length is {}; \"{}\" needs {} bytes.", length, *text,
          text->size() + 1);
    value[text->copy(value, text->size())] = '\0';
  });
}
