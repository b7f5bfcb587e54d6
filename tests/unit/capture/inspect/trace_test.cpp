#include "capture/inspect/trace.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "capture/captured/captured_model.hpp"
#include "runtime/context/current.hpp"
#include "support/capture_fixture.hpp"

namespace aclvk::capture {
namespace {

/// A model that is assembled by hand, because no operator has such kernels.
class TraceTest : public aclvk::test::OneStream {
 protected:
  void SetUp() override {
    OneStream::SetUp();
    model = std::make_shared<CapturedModel>(runtime::current_context());
    model->graph().add_lane(3);
  }
  nlohmann::json trace(bool verbose = false) const { return nlohmann::json::parse(trace_json(*model, verbose)); }

  CapturedModelPtr model;
};

TEST_F(TraceTest, T255_NamesAreEscaped) {
  const std::string name = "a \"quoted\" \\ kernel\n";
  model->graph().add(0, runtime::KernelTask{name, {}});
  EXPECT_EQ(trace()[0]["name"], name);
}

TEST_F(TraceTest, NamesThatAreNoUtf8StillMakeAValidFile) {
  model->graph().add(0, runtime::KernelTask{"bad \xff name", {}});
  EXPECT_EQ(trace().size(), 1u);
}

TEST_F(TraceTest, T251_BytesThatFillNoWordAreNotShown) {
  vk::Dispatch dispatch;
  dispatch.arguments.resize(12, std::byte{0xAB});
  model->graph().add(0, runtime::KernelTask{"kernel", dispatch});
  const auto arguments = trace(true)[0]["args"];
  EXPECT_EQ(arguments["Kernel Args"], "0xabababababababab");
  EXPECT_EQ(arguments["Kernel Args Size"], 12);
}

TEST_F(TraceTest, T253_LastStreamWithoutTasksLeavesNoComma) {
  model->graph().add(0, runtime::KernelTask{"kernel", {}});
  model->graph().add_lane(4);
  EXPECT_EQ(trace().size(), 1u);
}

}  // namespace
}  // namespace aclvk::capture
