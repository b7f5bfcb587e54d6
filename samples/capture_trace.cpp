// Pinned host memory, which the device copies from and to in every replay, and the model as a Chrome trace.
//
// Usage: capture_trace [FILE.json]          open the file in chrome://tracing or Perfetto
#include <fstream>

#include "aclnnop/aclnn_add.h"
#include "support/floats.hpp"

namespace {

constexpr int kCount = 4;

/// Returns the names of the tasks: the value of "name" in each line of the trace.
void print_names(const char* path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t key = line.find("\"name\":");
    if (key == std::string::npos) continue;
    const std::size_t begin = line.find('"', key + 7) + 1;
    std::printf("  %s\n", line.substr(begin, line.find('"', begin) - begin).c_str());
  }
}

}  // namespace

int main(int count, char** arguments) {
  const char* path = count > 1 ? arguments[1] : "capture_trace.json";
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  void* pinned = nullptr;
  CHECK(aclrtMallocHost(&pinned, kCount * sizeof(float)));
  float* host = static_cast<float*>(pinned);
  {
    Floats x({0, 0, 0, 0}), step({1, 2, 3, 4});
    const Scalar once(1);

    // host = host + step
    aclmdlRI model = nullptr;
    CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    CHECK(aclrtMemcpyAsync(x.address(), x.bytes(), host, x.bytes(), ACL_MEMCPY_HOST_TO_DEVICE, stream));
    LAUNCH(aclnnInplaceAdd, stream, x.tensor(), step.tensor(), once);
    CHECK(aclrtMemcpyAsync(host, x.bytes(), x.address(), x.bytes(), ACL_MEMCPY_DEVICE_TO_HOST, stream));
    CHECK(aclmdlRICaptureEnd(stream, &model));

    CHECK(aclmdlRIDebugJsonPrint(model, path, 0));
    std::printf("tasks of the model:\n");
    print_names(path);

    for (int i = 0; i < kCount; ++i) host[i] = 0.5F;
    for (int replay = 1; replay <= 3; ++replay) {
      CHECK(aclmdlRIExecuteAsync(model, stream));
      CHECK(aclrtSynchronizeStream(stream));
      std::printf("replay %d: %g %g %g %g\n", replay, host[0], host[1], host[2], host[3]);
    }
    CHECK(aclmdlRIDestroy(model));
  }
  CHECK(aclrtFreeHost(pinned));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}
