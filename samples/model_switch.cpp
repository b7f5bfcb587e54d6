// A model that is built from streams instead of captured. Its head stream compares two words of device memory at run
// time and continues with one of two other streams.
//
//     left > right ? x = x * 2 : x = x + 100
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_mul.h"
#include "support/floats.hpp"

namespace {

/// Creates a persistent stream, which collects tasks for a model and runs none itself.
aclrtStream bound_stream(aclmdlRI model, uint32_t flag) {
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_PERSISTENT));
  CHECK(aclmdlRIBindStream(model, stream, flag));
  return stream;
}

void set(void* word, int32_t value) {
  CHECK(aclrtMemcpy(word, sizeof(value), &value, sizeof(value), ACL_MEMCPY_HOST_TO_DEVICE));
}

}  // namespace

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  {
    Floats x({0, 0, 0, 0});
    const Scalar one(1), two(2), hundred(100);
    void *left = nullptr, *right = nullptr;
    CHECK(aclrtMalloc(&left, 32, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMalloc(&right, 32, ACL_MEM_MALLOC_HUGE_FIRST));
    set(right, 10);

    aclmdlRI model = nullptr;
    CHECK(aclmdlRIBuildBegin(&model, 0));
    aclrtStream head = bound_stream(model, ACL_MODEL_STREAM_FLAG_HEAD);
    aclrtStream twice = bound_stream(model, ACL_MODEL_STREAM_FLAG_DEFAULT);
    aclrtStream more = bound_stream(model, ACL_MODEL_STREAM_FLAG_DEFAULT);
    LAUNCH(aclnnInplaceMuls, twice, x.tensor(), two);
    LAUNCH(aclnnInplaceAdds, more, x.tensor(), hundred, one);
    CHECK(aclrtSwitchStream(left, ACL_RT_GREATER, right, ACL_RT_SWITCH_INT32, twice, nullptr, head));
    CHECK(aclrtActiveStream(more, head));  // runs when the condition is false
    CHECK(aclmdlRIEndTask(model, head));
    CHECK(aclmdlRIBuildEnd(model, nullptr));

    for (const int32_t value : {20, 5}) {
      x.set({1, 2, 3, 4});
      set(left, value);
      CHECK(aclmdlRIExecute(model, -1));
      std::printf("%d > 10 is %s: %s\n", value, value > 10 ? "true" : "false", x.text().c_str());
    }
    CHECK(aclmdlRIDestroy(model));
    for (aclrtStream stream : {head, twice, more}) CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtFree(left));
    CHECK(aclrtFree(right));
  }
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}
