// aclprofInit to aclprofFinalize: arguments, states, and what becomes of the file.
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "support/profile_fixture.hpp"

namespace aclvk::test {
namespace {

using Profile = ProfileTest;

/// While it lives, no file of this process can grow.
class FullDisk {
 public:
  FullDisk() {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit none{1, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);  // or it would end the process
  rlimit before_{};
};

TEST_F(Profile, NullIs100000) {
  EXPECT_EQ(aclprofInit(nullptr, 3), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofStart(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofStop(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofDestroyConfig(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofSetConfig(ACL_PROF_PATH, nullptr, 3), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Profile, APathHasALength) {
  EXPECT_EQ(aclprofInit(folder.path().c_str(), 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofInit("", 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofInit(folder.path().c_str(), 5000), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Profile, APathMayBeThePartOfALongerText) {
  const std::string text = folder.path() + "/inside and more";
  EXPECT_EQ(aclprofInit(text.c_str(), folder.path().size() + 7), 0);
  EXPECT_TRUE(std::filesystem::is_directory(folder.path() + "/inside"));
  EXPECT_EQ(aclprofFinalize(), 0);
}

TEST_F(Profile, AFolderThatCannotBeMadeIs100003) {
  std::ofstream(folder.path() + "/file") << "x";
  EXPECT_EQ(init(folder.path() + "/file"), ACL_ERROR_INVALID_FILE);
  EXPECT_EQ(init("/proc/nothing"), ACL_ERROR_INVALID_FILE);
  EXPECT_EQ(init(folder.path()), 0) << "a failure leaves nothing behind";
  EXPECT_EQ(aclprofFinalize(), 0);
}

TEST_F(Profile, BeginsOnce) {
  EXPECT_EQ(init(folder.path()), 0);
  EXPECT_EQ(init(folder.path()), ACL_ERROR_PROF_ALREADY_RUN);
  EXPECT_EQ(aclprofFinalize(), 0);
  EXPECT_EQ(aclprofFinalize(), ACL_ERROR_PROF_NOT_RUN);
  EXPECT_EQ(init(folder.path()), 0);
  EXPECT_EQ(aclprofFinalize(), 0);
}

TEST_F(Profile, StartsAndStopsBetweenInitAndFinalize) {
  aclprofConfig* chosen = config();
  EXPECT_EQ(aclprofStart(chosen), ACL_ERROR_PROF_NOT_RUN);
  EXPECT_EQ(aclprofStop(chosen), ACL_ERROR_PROF_NOT_RUN);
  EXPECT_EQ(init(folder.path()), 0);
  EXPECT_EQ(aclprofStop(chosen), ACL_ERROR_PROF_NOT_RUN);
  EXPECT_EQ(aclprofStart(chosen), 0);
  EXPECT_EQ(aclprofStart(chosen), ACL_ERROR_PROF_ALREADY_RUN);
  EXPECT_EQ(aclprofDestroyConfig(chosen), ACL_ERROR_PROF_ALREADY_RUN);
  EXPECT_EQ(aclprofStop(chosen), 0);
  EXPECT_EQ(aclprofStop(chosen), ACL_ERROR_PROF_NOT_RUN);
  EXPECT_EQ(aclprofStart(chosen), 0) << "again, into the same trace";
  EXPECT_EQ(aclprofStop(chosen), 0);
  EXPECT_EQ(aclprofFinalize(), 0);
  EXPECT_EQ(aclprofDestroyConfig(chosen), 0);
  EXPECT_EQ(folder.files().size(), 1u);
}

TEST_F(Profile, ATraceThatCannotBeWrittenIs100003) {
  aclprofConfig* chosen = config();
  EXPECT_EQ(init(folder.path()), 0);
  EXPECT_EQ(aclprofStart(chosen), 0);
  {
    const FullDisk full;
    EXPECT_EQ(aclrtSynchronizeDevice(), 0);
    EXPECT_EQ(aclprofStop(chosen), ACL_ERROR_INVALID_FILE);
  }
  EXPECT_EQ(aclprofStop(chosen), ACL_ERROR_PROF_NOT_RUN) << "it has been stopped";
  EXPECT_EQ(aclprofFinalize(), ACL_ERROR_INVALID_FILE);
  EXPECT_EQ(aclprofFinalize(), ACL_ERROR_PROF_NOT_RUN) << "it has ended";
  EXPECT_EQ(aclprofDestroyConfig(chosen), 0);
}

TEST_F(Profile, FinalizeStopsWhatRuns) {
  aclprofConfig* chosen = config();
  EXPECT_EQ(init(folder.path()), 0);
  EXPECT_EQ(aclprofStart(chosen), 0);
  EXPECT_EQ(aclprofFinalize(), 0);
  EXPECT_EQ(aclprofDestroyConfig(chosen), 0);
  expect_events_are_complete(only_events(folder));
}

TEST_F(Profile, EachHasAFileOfItsOwn) {
  for (int i = 0; i < 2; ++i) {
    aclprofConfig* chosen = config();
    EXPECT_EQ(init(folder.path()), 0);
    EXPECT_EQ(aclprofStart(chosen), 0);
    EXPECT_EQ(aclprofFinalize(), 0);
  }
  EXPECT_EQ(folder.files().size(), 2u);
}

TEST_F(Profile, WithoutAStartWritesNothing) {
  EXPECT_EQ(init(folder.path()), 0);
  EXPECT_EQ(aclprofFinalize(), 0);
  EXPECT_TRUE(folder.files().empty());
}

TEST_F(Profile, ConfigurationsAreChecked) {
  std::uint32_t device = 0;
  std::uint32_t twice[] = {0, 0};
  std::uint32_t unknown = 4711;
  const auto make = [](std::uint32_t* ids, std::uint32_t count, int metrics, std::uint64_t types) {
    return aclprofCreateConfig(ids, count, static_cast<aclprofAicoreMetrics>(metrics), nullptr, types);
  };
  EXPECT_EQ(make(nullptr, 1, ACL_AICORE_NONE, kEverything), nullptr);
  EXPECT_EQ(make(&device, 0, ACL_AICORE_NONE, kEverything), nullptr);
  EXPECT_EQ(make(twice, 2, ACL_AICORE_NONE, kEverything), nullptr);
  EXPECT_EQ(make(&unknown, 1, ACL_AICORE_NONE, kEverything), nullptr);
  EXPECT_EQ(make(&device, 1, 9, kEverything), nullptr);
  EXPECT_EQ(make(&device, 1, ACL_AICORE_NONE, std::uint64_t{1} << 60), nullptr);
  aclprofConfig* good = make(&device, 1, ACL_AICORE_PIPE_UTILIZATION, kEverything | ACL_PROF_L2CACHE);
  EXPECT_NE(good, nullptr);
  EXPECT_EQ(aclprofDestroyConfig(good), 0);
}

TEST_F(Profile, DestroyedConfigurationsAndOtherPointersAre100000) {
  aclprofConfig* gone = config();
  EXPECT_EQ(aclprofDestroyConfig(gone), 0);
  EXPECT_EQ(init(folder.path()), 0);
  for (void* pointer : {static_cast<void*>(gone), static_cast<void*>(s), reinterpret_cast<void*>(0x1234)}) {
    const auto* handle = static_cast<const aclprofConfig*>(pointer);
    EXPECT_EQ(aclprofStart(handle), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclprofStop(handle), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclprofDestroyConfig(handle), ACL_ERROR_INVALID_PARAM);
  }
  EXPECT_EQ(aclprofFinalize(), 0);
}

TEST_F(Profile, TwoConfigurationsShareATrace) {
  const Cell cell;
  aclprofConfig* tasks = config(ACL_PROF_TASK_TIME);
  aclprofConfig* calls = config(ACL_PROF_ACL_API);
  EXPECT_EQ(init(folder.path()), 0);
  EXPECT_EQ(aclprofStart(tasks), 0);
  EXPECT_EQ(aclprofStart(calls), 0);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(aclprofStop(tasks), 0);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(aclprofFinalize(), 0);
  const Json events = only_events(folder);
  EXPECT_EQ(find(events, "X", "task").size(), 1u);
  EXPECT_EQ(find(events, "X", "api", "aclnnInplaceAdds").size(), 4u);  // two phases each
}

TEST_F(Profile, OptionsAreChecked) {
  const auto set = [](int type, const std::string& value) {
    return aclprofSetConfig(static_cast<aclprofConfigType>(type), value.c_str(), value.size());
  };
  EXPECT_EQ(set(ACL_PROF_ARGS_MIN, "1"), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(set(ACL_PROF_ARGS_MAX, "1"), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(set(ACL_PROF_STORAGE_LIMIT, ""), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(set(ACL_PROF_STORAGE_LIMIT, "much"), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(set(ACL_PROF_STORAGE_LIMIT, "0MB"), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(set(ACL_PROF_STORAGE_LIMIT, "200MB"), 0);
  EXPECT_EQ(set(ACL_PROF_SYS_HARDWARE_MEM_FREQ, "50"), 0);  // programs continue without such samples
  EXPECT_EQ(set(ACL_PROF_SYS_HARDWARE_MEM_FREQ, "0"), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(set(ACL_PROF_SYS_HARDWARE_MEM_FREQ, "101"), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(set(ACL_PROF_SYS_HARDWARE_MEM_FREQ, "often"), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(set(ACL_PROF_HOST_SYS, "cpu,mem"), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(set(ACL_PROF_SYS_IO_FREQ, "100"), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(Profile, ThePathCanBeSetAsAnOption) {
  const std::string chosen = folder.path() + "/chosen";
  EXPECT_EQ(aclprofSetConfig(ACL_PROF_PATH, chosen.c_str(), chosen.size()), 0);
  EXPECT_EQ(init(folder.path() + "/other"), 0);
  EXPECT_EQ(aclprofStart(config()), 0);
  EXPECT_EQ(aclprofFinalize(), 0);
  EXPECT_FALSE(std::filesystem::is_empty(chosen));
}

TEST_F(Profile, AFileAtItsLimitCanStillBeRead) {
  EXPECT_EQ(aclprofSetConfig(ACL_PROF_STORAGE_LIMIT, "1MB", 3), 0);
  const Json events = profile([&] {
    std::int32_t device = 0;
    for (int i = 0; i < 20000; ++i) aclrtGetDevice(&device);
  });
  EXPECT_GT(events.size(), 1000u);
  EXPECT_LT(events.size(), 20000u);
  EXPECT_LT(std::filesystem::file_size(folder.files().front()), 2u << 20);
}

/// ACLVK_TRACE, for programs as they are.
class WholeProgram : public Settings, public testing::Test {
 protected:
  WholeProgram() : Settings({{"ACLVK_TRACE", path().c_str()}}) {}

  static std::string path() { return testing::TempDir() + "aclvk_whole_" + std::to_string(getpid()) + "/"; }
};

TEST_F(WholeProgram, IsTracedWithoutACall) {
  // The file is complete when the process has ended; a child checks.
  std::filesystem::remove_all(path());
  EXPECT_EXIT(
      {
        aclInit(nullptr);
        aclrtSetDevice(0);
        aclrtStream stream = nullptr;
        aclrtCreateStream(&stream);
        const Cell cell;
        increment(cell, stream);
        std::exit(0);  // neither synchronised nor torn down
      },
      testing::ExitedWithCode(0), "");
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(path())) files.push_back(entry.path());
  ASSERT_EQ(files.size(), 1u);
  const Json events = strict_parse_file(files.front()).at("traceEvents");
  expect_events_are_complete(events);
  expect_slices_nest(events);
  EXPECT_EQ(find(events, "X", "task", "aclnnInplaceAdds").size(), 1u);
  EXPECT_EQ(find(events, "X", "api", "aclrtSetDevice").size(), 1u);
  std::filesystem::remove_all(path());
}

/// The "profiler" section of aclInit's configuration.
class ProfilerSection : public testing::Test {
 protected:
  aclError init_with(const std::string& section) {
    const std::string path = folder.path() + "/acl.json";
    std::ofstream(path) << "{\"profiler\": " << section << "}";
    const aclError code = aclInit(path.c_str());
    std::filesystem::remove(path);
    return code;
  }
  std::string output() const { return "\"output\":\"" + folder.path() + "\""; }

  const Folder folder;
};

TEST_F(ProfilerSection, BadOnesAre100010) {
  for (const char* section :
       {"3", "\"on\"", "{}", "{\"switch\":true}", "{\"switch\":\"maybe\"}", "{\"switch\":\"on\",\"output\":5}",
        "{\"switch\":\"on\",\"output\":\"\"}", "{\"switch\":\"on\",\"output\":\"/proc/nothing\"}",
        "{\"switch\":\"on\",\"task_time\":7}", "{\"switch\":\"on\",\"ascendcl\":\"yes\"}"}) {
    EXPECT_EQ(init_with(section), ACL_ERROR_INVALID_PROFILING_CONFIG) << section;
  }
  EXPECT_EQ(aclInit(nullptr), 0) << "a refused configuration leaves nothing behind";
}

TEST_F(ProfilerSection, SwitchedOffDoesNothing) {
  EXPECT_EQ(init_with("{\"switch\":\"off\"," + output() + "}"), 0);
  EXPECT_EQ(aclFinalize(), 0);
  EXPECT_TRUE(folder.files().empty());
}

TEST_F(ProfilerSection, ProfilesFromInitToFinalize) {
  ASSERT_EQ(init_with("{\"switch\":\"on\"," + output() + ",\"aic_metrics\":\"PipeUtilization\"}"), 0)
      << aclGetRecentErrMsg();
  ASSERT_EQ(aclrtSetDevice(0), 0);
  {
    const Cell cell;
    EXPECT_EQ(increment(cell, nullptr), 0);
    sync(nullptr);
  }
  EXPECT_EQ(aclFinalize(), 0);
  const Json events = only_events(folder);
  expect_events_are_complete(events);
  EXPECT_EQ(find(events, "X", "task").size(), 1u);
  EXPECT_FALSE(find(events, "X", "api", "aclrtSetDevice").empty());
}

TEST_F(ProfilerSection, LeavesOutWhatIsSwitchedOff) {
  ASSERT_EQ(init_with("{\"switch\":\"on\"," + output() + ",\"task_time\":\"off\",\"ascendcl\":\"on\"}"), 0);
  ASSERT_EQ(aclrtSetDevice(0), 0);
  {
    const Cell cell;
    EXPECT_EQ(increment(cell, nullptr), 0);
    sync(nullptr);
  }
  EXPECT_EQ(aclFinalize(), 0);
  EXPECT_TRUE(find(only_events(folder), "X", "task").empty());
  EXPECT_FALSE(find(only_events(folder), "X", "api").empty());
}

}  // namespace
}  // namespace aclvk::test
