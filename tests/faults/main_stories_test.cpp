// Each use of Vulkan and of host memory by the main stories of programs fails once (docs/reliability.md).
#include <gtest/gtest.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "acl/acl.h"
#include "faults/sweep.hpp"
#include "stories/stories.hpp"

namespace aclvk::test {
namespace {

struct NamedStory {
  const char* name;
  StoryBody body;
};

constexpr NamedStory kStories[] = {
    {"Context", context_story},   {"Memory", memory_story},   {"Stream", stream_story},
    {"Operator", operator_story}, {"Capture", capture_story}, {"BuiltModel", built_model_story},
    {"Kernel", kernel_story},     {"Pool", pool_story},       {"VirtualMemory", virtual_memory_story},
    {"Profile", profile_story},   {"Record", record_story},
};

// Of Vulkan calls, and of operator new.
enum class Kind { kOutOfHostMemory, kOutOfDeviceMemory, kInitializationFailed, kDeviceLost, kAllocation };

constexpr const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::kOutOfHostMemory: return "OutOfHostMemory";
    case Kind::kOutOfDeviceMemory: return "OutOfDeviceMemory";
    case Kind::kInitializationFailed: return "InitializationFailed";
    case Kind::kDeviceLost: return "DeviceLost";
    default: return "Allocation";
  }
}

std::unique_ptr<Fault> make_fault(const VulkanFaults& faults, Kind kind) {
  switch (kind) {
    case Kind::kOutOfHostMemory: return std::make_unique<VulkanFault>(faults, VulkanResult::kOutOfHostMemory);
    case Kind::kOutOfDeviceMemory: return std::make_unique<VulkanFault>(faults, VulkanResult::kOutOfDeviceMemory);
    case Kind::kInitializationFailed: return std::make_unique<VulkanFault>(faults, VulkanResult::kInitializationFailed);
    case Kind::kDeviceLost: return std::make_unique<LossFault>(faults);
    default: return std::make_unique<HostFault>();
  }
}

void open_device(Story& story) {
  STEP(aclInit(nullptr));
  STEP(aclrtSetDevice(0));
}

void compile_and_open_device(Story& story) {
  kernel_module();
  open_device(story);
}

using Case = std::tuple<NamedStory, Kind>;

class MainStory : public testing::TestWithParam<Case> {
 protected:
  std::string name() const {
    return std::string(std::get<0>(GetParam()).name) + " " + name_of(std::get<1>(GetParam()));
  }
  StoryBody body() const { return std::get<0>(GetParam()).body; }
  StoryBody opening() const { return body() == kernel_story ? compile_and_open_device : open_device; }
  // A lost device is kept to the end of the process.
  bool keeps_nothing() const { return std::get<1>(GetParam()) != Kind::kDeviceLost && !validator_forgets(); }
  // The validator of SPIRV-Tools, which checks kernels that are loaded, answers rightly when it finds no memory, but
  // forgets what it had.
  bool validator_forgets() const {
    const auto [story, kind] = GetParam();
    return story.body == kernel_story && kind == Kind::kAllocation;
  }
  void SetUp() override {
#ifdef __SANITIZE_ADDRESS__
    if (validator_forgets()) __lsan_disable();
#endif
  }
  const VulkanFaults faults;
  const std::unique_ptr<Fault> fault = make_fault(faults, std::get<1>(GetParam()));
};

// Everything that is made once is there.
TEST_P(MainStory, SurvivesEachFault) {
  ASSERT_EQ(run_story(opening()).code, 0);
  sweep(name().c_str(), body(), *fault, keeps_nothing());
  EXPECT_EQ(aclrtResetDevice(0), 0);
  EXPECT_EQ(aclFinalize(), 0);
}

// Nothing has been made yet but the device: pipelines, pools and threads are made here.
TEST_P(MainStory, SurvivesEachFaultAtItsFirstTime) { sweep_processes(name().c_str(), opening(), body(), *fault); }

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  return std::string(std::get<0>(info.param).name) + name_of(std::get<1>(info.param));
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const NamedStory& story : kStories) {
    for (const Kind kind : {Kind::kOutOfHostMemory, Kind::kOutOfDeviceMemory, Kind::kDeviceLost, Kind::kAllocation}) {
      all.emplace_back(story, kind);
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Stories, MainStory, testing::ValuesIn(cases()), name_of_case);

class OpenStory : public testing::TestWithParam<Kind> {
 protected:
  const VulkanFaults faults;
};

TEST_P(OpenStory, SurvivesEachFault) {
  sweep_processes(name_of(GetParam()), nullptr, open_story, *make_fault(faults, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Stories, OpenStory,
                         testing::Values(Kind::kOutOfHostMemory, Kind::kOutOfDeviceMemory, Kind::kInitializationFailed,
                                         Kind::kAllocation),
                         [](const auto& kind) { return name_of(kind.param); });

}  // namespace
}  // namespace aclvk::test
