// acl/acl_rt_compile.h: kernels compiled at run time, from GLSL. The compiler runs on the host, so these functions work
// without a device (guard_host).
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl_rt_compile.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/kernel/program.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

std::shared_ptr<runtime::Program> program_of(aclrtcProg prog) {
  require(prog, "prog");
  auto program = runtime::program_handles().find(prog);
  check(program != nullptr, Code::kInvalidHandle, "prog ({}) is not a live program.", prog);
  return program;
}

std::vector<std::string> strings(int count, const char* const* texts, const char* name) {
  check(count >= 0, Code::kParamInvalid, "The number of {} is {}; 0 or more is expected.", name, count);
  if (count > 0) require(texts, name);
  std::vector<std::string> all;
  for (int i = 0; i < count; ++i) {
    check(texts[i] != nullptr, Code::kInvalidParam, "{}[{}] is NULL.", name, i);
    all.emplace_back(texts[i]);
  }
  return all;
}

}  // namespace

aclError aclrtcCreateProg(aclrtcProg* prog, const char* src, const char* name, int numHeaders, const char** headers,
                          const char** includeNames) {
  return guard_host(__func__, [&] {
    require(prog, "prog");
    require(src, "src");
    const auto texts = strings(numHeaders, headers, "headers");
    const auto names = strings(numHeaders, includeNames, "includeNames");
    runtime::GlslSource source{name ? name : "program", src};
    for (std::size_t i = 0; i < texts.size(); ++i) source.headers.emplace_back(names[i], texts[i]);
    *prog = runtime::program_handles().insert(std::make_shared<runtime::Program>(std::move(source)));
  });
}

aclError aclrtcCompileProg(aclrtcProg prog, int numOptions, const char** options) {
  return guard_host(__func__, [&] {
    const auto program = program_of(prog);
    program->compile(strings(numOptions, options, "options"));
  });
}

aclError aclrtcAddNameExpr(aclrtcProg prog, const char* const nameExpression) {
  return guard_host(__func__, [&] {
    require(prog, "prog");
    require(nameExpression, "nameExpression");
    program_of(prog)->add_name(nameExpression);
  });
}

aclError aclrtcGetLoweredName(aclrtcProg prog, const char* nameExpression, const char** loweredName) {
  return guard_host(__func__, [&] {
    require(prog, "prog");
    require(nameExpression, "nameExpression");
    require(loweredName, "loweredName");
    *loweredName = program_of(prog)->lowered_name(nameExpression);
  });
}

aclError aclrtcDestroyProg(aclrtcProg* prog) {
  return guard_host(__func__, [&] {
    require(prog, "prog");
    require(*prog, "*prog");
    check(runtime::program_handles().remove(*prog) != nullptr, Code::kInvalidHandle, "prog ({}) is not a live program.",
          *prog);
    *prog = nullptr;
  });
}

aclError aclrtcGetBinData(aclrtcProg prog, char* binData) {
  return guard_host(__func__, [&] {
    require(prog, "prog");
    require(binData, "binData");
    const auto module = program_of(prog)->module();
    std::memcpy(binData, module.data(), module.size() * sizeof(module[0]));
  });
}

aclError aclrtcGetBinDataSize(aclrtcProg prog, size_t* binDataSizeRet) {
  return guard_host(__func__, [&] {
    require(prog, "prog");
    require(binDataSizeRet, "binDataSizeRet");
    *binDataSizeRet = program_of(prog)->module().size() * sizeof(std::uint32_t);
  });
}

aclError aclrtcGetCompileLogSize(aclrtcProg prog, size_t* logSizeRet) {
  return guard_host(__func__, [&] {
    require(prog, "prog");
    require(logSizeRet, "logSizeRet");
    *logSizeRet = program_of(prog)->log().size() + 1;
  });
}

aclError aclrtcGetCompileLog(aclrtcProg prog, char* log) {
  return guard_host(__func__, [&] {
    require(prog, "prog");
    require(log, "log");
    const std::string text = program_of(prog)->log();
    std::memcpy(log, text.c_str(), text.size() + 1);
  });
}
