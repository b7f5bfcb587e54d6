// Draws a model: two streams, a task group, an external event, copies and a host function, written in the DOT language
// of Graphviz.
//
//     host = (host + 1) * (host * factor)          once for each record of the event
//
// Usage: capture_graph [FILE.dot]                  dot -Tsvg FILE.dot -o graph.svg
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_mul.h"
#include "support/floats.hpp"

namespace {

constexpr int kCount = 4;

/// Makes stream `to` wait for all tasks launched on stream `from` so far.
void order(aclrtStream from, aclrtStream to) {
  aclrtEvent event = nullptr;
  CHECK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  CHECK(aclrtRecordEvent(event, from));
  CHECK(aclrtStreamWaitEvent(to, event));
  CHECK(aclrtDestroyEvent(event));
}

/// The resources that the model uses. They must live as long as it runs.
struct Memory {
  Floats x{{0, 0, 0, 0}}, factor{{10, 10, 10, 10}}, sum{{0, 0, 0, 0}}, out{{0, 0, 0, 0}};
  float* host = nullptr;
};

aclmdlRI capture(Memory& memory, aclrtEvent arrived, aclrtStream stream) {
  auto& [x, factor, sum, out, host] = memory;
  aclrtStream helper = nullptr;
  aclrtTaskGrp group = nullptr;
  CHECK(aclrtCreateStream(&helper));
  const Scalar one(1);

  CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  CHECK(aclrtStreamWaitEvent(stream, arrived));
  CHECK(aclrtResetEvent(arrived, stream));
  CHECK(aclrtMemcpyAsync(x.address(), x.bytes(), host, x.bytes(), ACL_MEMCPY_HOST_TO_DEVICE, stream));
  order(stream, helper);
  LAUNCH(aclnnAdds, stream, x.tensor(), one, one, sum.tensor());
  CHECK(aclmdlRICaptureTaskGrpBegin(helper));
  LAUNCH(aclnnMul, helper, x.tensor(), factor.tensor(), out.tensor());
  CHECK(aclmdlRICaptureTaskGrpEnd(helper, &group));
  order(helper, stream);
  LAUNCH(aclnnInplaceMul, stream, out.tensor(), sum.tensor());
  CHECK(aclrtMemcpyAsync(host, x.bytes(), out.address(), x.bytes(), ACL_MEMCPY_DEVICE_TO_HOST, stream));
  CHECK(aclrtLaunchHostFunc(
      stream, [](void*) { std::printf("a result is there\n"); }, nullptr));
  aclmdlRI model = nullptr;
  CHECK(aclmdlRICaptureEnd(stream, &model));
  CHECK(aclrtDestroyStream(helper));
  return model;
}

}  // namespace

int main(int count, char** arguments) {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr, input = nullptr;
  CHECK(aclrtCreateStream(&stream));
  CHECK(aclrtCreateStream(&input));
  aclrtEvent arrived = nullptr;
  CHECK(aclrtCreateEventWithFlag(&arrived, ACL_EVENT_EXTERNAL));
  {
    Memory memory;
    CHECK(aclrtMallocHost(reinterpret_cast<void**>(&memory.host), kCount * sizeof(float)));
    aclmdlRI model = capture(memory, arrived, stream);
    CHECK(aclmdlRISetName(model, "(x + 1) * (x * factor)"));
    CHECK(aclmdlRIDebugJsonPrint(model, count > 1 ? arguments[1] : "capture_graph.dot", 0));

    for (int i = 0; i < kCount; ++i) memory.host[i] = static_cast<float>(i);
    CHECK(aclmdlRIExecuteAsync(model, stream));
    CHECK(aclrtRecordEvent(arrived, input));
    CHECK(aclrtSynchronizeStream(stream));
    std::printf("%g %g %g %g\n", memory.host[0], memory.host[1], memory.host[2], memory.host[3]);
    CHECK(aclmdlRIDestroy(model));
    CHECK(aclrtFreeHost(memory.host));
  }
  CHECK(aclrtDestroyEvent(arrived));
  CHECK(aclrtDestroyStream(input));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}
