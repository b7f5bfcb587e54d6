// Kernels of the program's own: modules that are loaded, launched and unloaded.
#include <cstring>
#include <string>

#include "acl/acl_rt_compile.h"
#include "endurance/counter.hpp"
#include "endurance/story.hpp"

namespace endurance {
namespace {

constexpr const char* kSource = R"(#version 460
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) buffer Values { int value[]; };
layout(push_constant) uniform Arguments { int by; };
void main() { value[gl_GlobalInvocationID.x] += by; }
)";

struct Arguments {
  void* values;
  std::int32_t by;
};

std::string compile() {
  aclrtcProg program = nullptr;
  ACL_CHECK(aclrtcCreateProg(&program, kSource, "count.comp", 0, nullptr, nullptr));
  ACL_CHECK(aclrtcCompileProg(program, 0, nullptr));
  std::size_t bytes = 0;
  ACL_CHECK(aclrtcGetBinDataSize(program, &bytes));
  std::string module(bytes, '\0');
  ACL_CHECK(aclrtcGetBinData(program, module.data()));
  ACL_CHECK(aclrtcDestroyProg(&program));
  return module;
}

/// Each module is loaded, launched, and unloaded while its kernel is under way; every hundredth is compiled before.
class Kernels : public Story {
 public:
  void repeat() override {
    if (++done_ % 100 == 0) module_ = compile();
    aclrtBinHandle binary = nullptr;
    aclrtFuncHandle function = nullptr;
    ACL_CHECK(aclrtBinaryLoadFromData(module_.data(), module_.size(), nullptr, &binary));
    ACL_CHECK(aclrtBinaryGetFunction(binary, "main", &function));
    Arguments arguments{counter_.memory(), 1};
    ACL_CHECK(aclrtLaunchKernelWithHostArgs(function, 1, stream_, nullptr, &arguments, sizeof(arguments), nullptr, 0));
    ACL_CHECK(aclrtBinaryUnLoad(binary));
    if (done_ % 64 == 0) stream_.wait();
  }
  void settle() override {
    stream_.wait();
    expect(counter_.value(), static_cast<std::int32_t>(done_), "the counter of loaded kernels");
  }

 private:
  const acl::Stream stream_;
  const Counter counter_;
  std::string module_ = compile();
  std::int64_t done_ = 0;
};

}  // namespace

std::unique_ptr<Story> kernels() { return std::make_unique<Kernels>(); }

}  // namespace endurance
