// Fork and join: a second stream joins the capture by waiting for an event of the first one, works concurrently, and
// returns its result through another event. The replay needs neither the second stream nor the events.
//
//     out = (a + b) - (a * b)          the sum on one stream, the product on the other
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_sub.h"
#include "support/floats.hpp"

namespace {

aclmdlRI capture(Floats& a, Floats& b, Floats& sum, Floats& product, Floats& out, aclrtStream stream) {
  aclrtStream helper = nullptr;
  aclrtEvent fork = nullptr, join = nullptr;
  CHECK(aclrtCreateStream(&helper));
  CHECK(aclrtCreateEventExWithFlag(&fork, ACL_EVENT_SYNC));
  CHECK(aclrtCreateEventExWithFlag(&join, ACL_EVENT_SYNC));
  const Scalar once(1);

  CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  CHECK(aclrtRecordEvent(fork, stream));
  CHECK(aclrtStreamWaitEvent(helper, fork));  // now the helper is captured, too

  LAUNCH(aclnnAdd, stream, a.tensor(), b.tensor(), once, sum.tensor());
  LAUNCH(aclnnMul, helper, a.tensor(), b.tensor(), product.tensor());

  aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
  CHECK(aclmdlRICaptureGetInfo(helper, &status, nullptr));
  std::printf("the helper is %s\n", status == ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE ? "captured" : "not captured");

  CHECK(aclrtRecordEvent(join, helper));
  CHECK(aclrtStreamWaitEvent(stream, join));
  LAUNCH(aclnnSub, stream, sum.tensor(), product.tensor(), once, out.tensor());
  aclmdlRI model = nullptr;
  CHECK(aclmdlRICaptureEnd(stream, &model));

  CHECK(aclrtDestroyEvent(fork));
  CHECK(aclrtDestroyEvent(join));
  CHECK(aclrtDestroyStream(helper));
  return model;
}

}  // namespace

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  {
    Floats a({0, 0, 0, 0}), b({1, 2, 3, 4}), sum({0, 0, 0, 0}), product({0, 0, 0, 0}), out({0, 0, 0, 0});
    aclmdlRI model = capture(a, b, sum, product, out, stream);
    for (const float value : {0.F, 1.F, 2.F, 3.F}) {
      a.set({value, value, value, value});
      CHECK(aclmdlRIExecuteAsync(model, stream));
      CHECK(aclrtSynchronizeStream(stream));
      std::printf("a = %g: %s\n", static_cast<double>(value), out.text().c_str());
    }
    CHECK(aclmdlRIDestroy(model));
  }
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}
