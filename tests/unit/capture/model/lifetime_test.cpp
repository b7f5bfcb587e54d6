#include "capture/model/lifetime.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/config.hpp"
#include "base/error.hpp"
#include "capture/captured/captured_model.hpp"
#include "runtime/context/current.hpp"
#include "support/capture_fixture.hpp"

namespace aclvk::capture {
namespace {

/// A model of one fill.
class LifetimeTest : public aclvk::test::OneStream {
 protected:
  void SetUp() override {
    OneStream::SetUp();
    set("1");
    model = std::make_shared<CapturedModel>(runtime::current_context());
    model->graph().add_lane(0);
    used = allocate();
    other = allocate();
    model->graph().add(0, runtime::FillTask{*memory().find(used, 64), 0});
  }
  void TearDown() override {
    unsetenv("ACLVK_CHECK_LIFETIME");
    reload_config();
    OneStream::TearDown();
  }

  static void set(const char* value) {
    setenv("ACLVK_CHECK_LIFETIME", value, 1);
    reload_config();
  }
  static vk::Memory& memory() { return runtime::current_context()->device().memory(); }
  static void* allocate() { return memory().allocate(vk::Placement::kDevice, 64); }
  static void free(void* pointer) { EXPECT_TRUE(memory().release(pointer, vk::Placement::kDevice)); }
  Code checked() {
    try {
      check_lifetime(*model);
    } catch (const Error& error) {
      return error.code();
    }
    return Code::kSuccess;
  }

  CapturedModelPtr model;
  void* used = nullptr;
  void* other = nullptr;
};

TEST_F(LifetimeTest, LooksAgainOnlyAfterSomethingHasBeenFreed) {
  EXPECT_EQ(checked(), Code::kSuccess);
  EXPECT_EQ(model->alive_at_release, memory().releases());
  free(used);
  model->alive_at_release = memory().releases();  // as after a check
  EXPECT_EQ(checked(), Code::kSuccess);
  free(other);
  EXPECT_EQ(checked(), Code::kModelExecute);
}

TEST_F(LifetimeTest, FailureIsNotTakenForAnAnswerOfLaterCalls) {
  free(used);
  EXPECT_EQ(checked(), Code::kModelExecute);
  EXPECT_FALSE(model->alive_at_release);
  EXPECT_EQ(checked(), Code::kModelExecute);
}

TEST_F(LifetimeTest, NumberOfTheSettingDecides) {
  free(used);
  set("0");
  EXPECT_EQ(checked(), Code::kSuccess);
  set("1");
  EXPECT_EQ(checked(), Code::kModelExecute);
}

TEST_F(LifetimeTest, BuildDecidesWithoutASetting) {
  free(used);
  set("-1");
#ifdef NDEBUG
  EXPECT_EQ(checked(), Code::kSuccess);
#else
  EXPECT_EQ(checked(), Code::kModelExecute);
#endif
}

}  // namespace
}  // namespace aclvk::capture
