// One stream: a year of three savings accounts is captured once and replayed for each year that follows.
//
//     balance = balance * 1.5 + 10
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_mul.h"
#include "support/floats.hpp"

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  {
    Floats balance({0, 20, 100});
    const Scalar growth(1.5F), deposit(10), once(1);

    // Captured tasks do not run: the stream stores them in a model.
    CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    LAUNCH(aclnnInplaceMuls, stream, balance.tensor(), growth);
    LAUNCH(aclnnInplaceAdds, stream, balance.tensor(), deposit, once);
    aclmdlRI year = nullptr;
    CHECK(aclmdlRICaptureEnd(stream, &year));
    std::printf("captured   : %s\n", balance.text().c_str());

    for (int i = 1; i <= 4; ++i) {
      CHECK(aclmdlRIExecuteAsync(year, stream));
      CHECK(aclrtSynchronizeStream(stream));
      std::printf("after year %d: %s\n", i, balance.text().c_str());
    }

    // Between replays the program may change the memory; the model refers to its address only.
    balance.set({2, 4, 6});
    CHECK(aclmdlRIExecuteAsync(year, stream));
    CHECK(aclmdlRIExecuteAsync(year, stream));
    CHECK(aclrtSynchronizeStream(stream));
    std::printf("2 4 6, two years later: %s\n", balance.text().c_str());
    CHECK(aclmdlRIDestroy(year));
  }
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}
