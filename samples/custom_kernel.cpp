// A program's own kernel: GLSL, compiled at run time, launched eagerly and then captured, replayed and updated.
//
//     y = a * x + y
#include "acl/acl_rt_compile.h"
#include "support/floats.hpp"

namespace {

constexpr const char* kSource = R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer In { float value[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer InOut { float value[]; };
layout(push_constant) uniform Arguments { In x; InOut y; uint count; float a; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < count) y.value[i] += a * x.value[i];
}
)";

/// The kernel's push constants in C++.
struct Arguments {
  void* x;
  void* y;
  uint32_t count;
  float a;
};

std::string compile() {
  aclrtcProg program = nullptr;
  CHECK(aclrtcCreateProg(&program, kSource, "saxpy.comp", 0, nullptr, nullptr));
  // GLSL's entry point is "main"; this names the kernel.
  const char* options[] = {"-e", "saxpy", "--source-entrypoint", "main"};
  CHECK(aclrtcCompileProg(program, 4, options));
  std::size_t bytes = 0;
  CHECK(aclrtcGetBinDataSize(program, &bytes));
  std::string module(bytes, '\0');
  CHECK(aclrtcGetBinData(program, module.data()));
  CHECK(aclrtcDestroyProg(&program));
  return module;
}

void launch(aclrtFuncHandle saxpy, Arguments arguments, aclrtStream stream) {
  const uint32_t blocks = (arguments.count + 63) / 64;
  CHECK(aclrtLaunchKernelWithHostArgs(saxpy, blocks, stream, nullptr, &arguments, sizeof(arguments), nullptr, 0));
}

void run_model(aclrtFuncHandle saxpy, Arguments arguments, const Floats& y, aclrtStream stream) {
  aclmdlRI model = nullptr;
  aclrtTaskGrp group = nullptr;
  CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  CHECK(aclmdlRICaptureTaskGrpBegin(stream));
  launch(saxpy, arguments, stream);
  CHECK(aclmdlRICaptureTaskGrpEnd(stream, &group));
  CHECK(aclmdlRICaptureEnd(stream, &model));

  CHECK(aclmdlRIExecuteAsync(model, stream));
  CHECK(aclmdlRIExecuteAsync(model, stream));
  CHECK(aclrtSynchronizeStream(stream));
  std::printf("replayed twice  %s\n", y.text().c_str());

  arguments.a = -1;
  CHECK(aclmdlRICaptureTaskUpdateBegin(stream, group));
  launch(saxpy, arguments, stream);
  CHECK(aclmdlRICaptureTaskUpdateEnd(stream));
  CHECK(aclmdlRIExecuteAsync(model, stream));
  CHECK(aclrtSynchronizeStream(stream));
  std::printf("updated, a = -1 %s\n", y.text().c_str());
  CHECK(aclmdlRIDestroy(model));
}

}  // namespace

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  const std::string module = compile();
  aclrtBinHandle binary = nullptr;
  aclrtFuncHandle saxpy = nullptr;
  CHECK(aclrtBinaryLoadFromData(module.data(), module.size(), nullptr, &binary));
  CHECK(aclrtBinaryGetFunction(binary, "saxpy", &saxpy));
  {
    Floats x({1, 2, 3, 4}), y({10, 10, 10, 10});
    const Arguments arguments{x.address(), y.address(), 4, 2};
    launch(saxpy, arguments, stream);
    CHECK(aclrtSynchronizeStream(stream));
    std::printf("launched        %s\n", y.text().c_str());
    run_model(saxpy, arguments, y, stream);
  }
  CHECK(aclrtBinaryUnLoad(binary));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}
