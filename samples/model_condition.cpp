// Conditional tasks: a loop and a choice inside a captured model. Each run reads their conditions from words of device
// memory, so one model covers all cases.
//
//     while (count-- > 0) x = x * 2          count is 5 at the start of each run
//     if (wanted) x = x + 1
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_sub.h"
#include "support/floats.hpp"

namespace {

struct Conditional {
  uint64_t* word = nullptr;
  aclmdlRI body = nullptr;
};

/// Adds a conditional task with one body to the stream's capture.
Conditional add_conditional(aclrtStream stream, aclmdlRICondTaskType type, uint32_t value, bool assign) {
  aclmdlRI model = nullptr;
  aclmdlRICondHandle handle = nullptr;
  Conditional made;
  const auto flag = static_cast<aclmdlRICondHandleFlag>(assign ? ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT : 0);
  CHECK(aclmdlRICaptureGetInfo(stream, nullptr, &model));
  CHECK(aclmdlRICondHandleCreate(model, value, flag, &handle));
  CHECK(aclmdlRICondHandleGetCondPtr(handle, &made.word));
  CHECK(aclmdlRIAddCondTask({handle, type, 1, &made.body}, stream, 0));
  return made;
}

}  // namespace

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr, inner = nullptr;
  CHECK(aclrtCreateStream(&stream));
  CHECK(aclrtCreateStream(&inner));
  {
    Floats x({0, 0, 0, 0});
    const Scalar one(1), two(2);

    CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    const Conditional loop = add_conditional(stream, ACL_MODEL_RI_COND_TYPE_WHILE, 5, true);
    const int64_t size = 1;
    int64_t step_value = 1;
    aclScalar* step = aclCreateScalar(&step_value, ACL_INT64);
    aclTensor* count = aclCreateTensor(&size, 1, ACL_INT64, &size, 0, ACL_FORMAT_ND, &size, 1, loop.word);
    CHECK(aclmdlRICaptureToModelRIBegin(inner, loop.body, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    LAUNCH(aclnnInplaceMuls, inner, x.tensor(), two);
    LAUNCH(aclnnInplaceSubs, inner, count, step, step);
    CHECK(aclmdlRICaptureEnd(inner, nullptr));

    const Conditional choice = add_conditional(stream, ACL_MODEL_RI_COND_TYPE_IF, 0, false);
    CHECK(aclmdlRICaptureToModelRIBegin(inner, choice.body, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    LAUNCH(aclnnInplaceAdds, inner, x.tensor(), one, one);
    CHECK(aclmdlRICaptureEnd(inner, nullptr));
    aclmdlRI model = nullptr;
    CHECK(aclmdlRICaptureEnd(stream, &model));

    for (const uint64_t wanted : {0, 1}) {
      x.set({1, 2, 3, 4});
      CHECK(aclrtMemcpy(choice.word, sizeof(wanted), &wanted, sizeof(wanted), ACL_MEMCPY_HOST_TO_DEVICE));
      CHECK(aclmdlRIExecuteAsync(model, stream));
      CHECK(aclrtSynchronizeStream(stream));
      std::printf("%s: %s\n", wanted ? "with the addition" : "without", x.text().c_str());
    }
    aclDestroyTensor(count);
    aclDestroyScalar(step);
    CHECK(aclmdlRIDestroy(model));
  }
  CHECK(aclrtDestroyStream(inner));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}
