// A task group: while a started model waits for an event, the program changes an argument of one of its kernels.
//
//     out = x * factor          the factor changes from replay to replay
#include "aclnnop/aclnn_mul.h"
#include "support/floats.hpp"

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr, update_stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  CHECK(aclrtCreateStream(&update_stream));
  aclrtEvent go = nullptr;  // EXTERNAL: recorded outside the model, waited for inside
  CHECK(aclrtCreateEventWithFlag(&go, ACL_EVENT_EXTERNAL));
  {
    Floats x({1, 2, 3, 4}), out({0, 0, 0, 0});
    const Scalar captured(10);

    aclmdlRI model = nullptr;
    aclrtTaskGrp group = nullptr;
    CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    CHECK(aclrtStreamWaitEvent(stream, go));
    CHECK(aclrtResetEvent(go, stream));  // the next replay waits again
    CHECK(aclmdlRICaptureTaskGrpBegin(stream));
    LAUNCH(aclnnMuls, stream, x.tensor(), captured, out.tensor());
    CHECK(aclmdlRICaptureTaskGrpEnd(stream, &group));
    CHECK(aclmdlRICaptureEnd(stream, &model));

    CHECK(aclmdlRIExecuteAsync(model, stream));
    CHECK(aclrtRecordEvent(go, update_stream));
    CHECK(aclrtSynchronizeStream(stream));
    std::printf("as captured, times 10: %s\n", out.text().c_str());

    for (const float value : {0.5F, -1.F, 100.F}) {
      const Scalar factor(value);
      CHECK(aclmdlRIExecuteAsync(model, stream));  // the replay is under way ...

      CHECK(aclmdlRICaptureTaskUpdateBegin(update_stream, group));
      LAUNCH(aclnnMuls, update_stream, x.tensor(), factor, out.tensor());
      CHECK(aclmdlRICaptureTaskUpdateEnd(update_stream));
      CHECK(aclrtRecordEvent(go, update_stream));  // ... and may continue now

      CHECK(aclrtSynchronizeStream(stream));
      std::printf("updated, times %g: %s\n", static_cast<double>(value), out.text().c_str());
    }
    CHECK(aclmdlRIDestroy(model));
  }
  CHECK(aclrtDestroyEvent(go));
  CHECK(aclrtDestroyStream(update_stream));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}
