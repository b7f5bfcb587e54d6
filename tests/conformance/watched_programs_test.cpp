// Stories of programs that are traced and recorded while they use all kinds of memory and tasks.
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>

#include "support/kernel_fixture.hpp"
#include "support/pool.hpp"
#include "support/profile_fixture.hpp"
#include "support/recorded_calls.hpp"
#include "support/stress.hpp"
#include "support/virtual_memory.hpp"

namespace aclvk::test {
namespace {

/// Everything that the process does is traced and recorded.
class Watch {
 protected:
  Watch() {
    setenv("ACLVK_TRACE", trace_path().c_str(), 1);
    setenv("ACLVK_RECORD", (folder.path() + "/record").c_str(), 1);
  }
  std::string trace_path() const { return folder.path() + "/trace.json"; }

  const Folder folder;
};

class Watched : Watch, public KernelTest {};

/// Eight floats in each kind of memory that a kernel can use.
class AllKinds {
 public:
  explicit AllKinds(aclrtStream stream) : pool_(new_pool()), addresses_(1), mapped_(addresses_.at(0), physical_) {
    const auto keep = [&](const char* name, void* address) { by_name[name] = address; };
    keep("malloc", malloced_.address());
    keep("pool", malloc_async(pool_, kBytes, stream));
    keep("mapped", addresses_.at(0));
    void* managed = nullptr;
    EXPECT_EQ(aclrtMemAllocManaged(&managed, kBytes, ACL_RT_MEM_ATTACH_GLOBAL), 0) << aclGetRecentErrMsg();
    keep("managed", managed);
    keep("pinned", pinned_.data());
    for (const auto& [name, address] : by_name) set(address, 0);
  }
  ~AllKinds() {
    EXPECT_EQ(aclrtFree(by_name["managed"]), 0);
    EXPECT_EQ(aclrtFree(by_name["pool"]), 0);
    EXPECT_EQ(aclrtMemPoolDestroy(pool_), 0);
  }
  AllKinds(const AllKinds&) = delete;
  AllKinds& operator=(const AllKinds&) = delete;

  static constexpr std::size_t kBytes = 32;
  static void set(void* address, float value) {
    const std::vector<float> values(8, value);
    EXPECT_EQ(aclrtMemcpy(address, kBytes, values.data(), kBytes, ACL_MEMCPY_DEFAULT), 0) << aclGetRecentErrMsg();
  }
  static float value(const void* address) {
    float values[8] = {};
    EXPECT_EQ(aclrtMemcpy(values, kBytes, address, kBytes, ACL_MEMCPY_DEFAULT), 0) << aclGetRecentErrMsg();
    for (const float value : values) EXPECT_EQ(value, values[0]);
    return values[0];
  }

  std::map<std::string, void*> by_name;

 private:
  const aclrtMemPool pool_;
  const Cell malloced_;
  const Reservation addresses_;
  const Physical physical_;
  const Mapped mapped_;
  const Pinned<float> pinned_{8};
};

TEST_F(Watched, KernelsOfTheProgramUseAllKindsOfMemoryInModels) {
  const AllKinds memory(s);
  for (const char* source : {kAddByPointer, kAddByNumber, kAddByBuffer}) {
    const aclrtFuncHandle function = load_function(source);
    for (const auto& [name, address] : memory.by_name) {
      SCOPED_TRACE(name);
      AllKinds::set(address, 0);
      aclmdlRI model = capture([&, sum = address] {  // C++17: lambdas cannot capture a structured binding itself
        for (int i = 0; i < 3; ++i) {
          EXPECT_EQ(launch(function, AddArguments{sum, sum, 1}, s), 0) << last_message();
        }
      });
      EXPECT_EQ(launch(function, AddArguments{address, address, 10}, s), 0) << last_message();
      execute(model, s);
      run(model, s);
      EXPECT_EQ(AllKinds::value(address), 16);
    }
  }
}

/// A model with one task of each newer kind, on two streams.
class ManyTasks : public ProfileTest {
 protected:
  ManyTasks() { EXPECT_EQ(aclrtCntNotifyCreate(&notify_, 0), 0); }

  void launch_all() {
    aclrtCntNotifyRecordInfo add{ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 1};
    aclrtCntNotifyWaitInfo one{ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 1, 0, 1, {}};
    EXPECT_EQ(increment(source_, s), 0);
    EXPECT_EQ(aclrtReduceAsync(sum_.address(), source_.address(), sum_.bytes(), ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM,
                               ACL_FLOAT, s, nullptr),
              0)
        << aclGetRecentErrMsg();
    order(s, side);
    EXPECT_EQ(aclrtRandomNumAsync(&random_, side, nullptr), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclrtCntNotifyRecord(notify_, side, &add), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclrtCntNotifyWaitWithTimeout(notify_, s, &one), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclrtMemcpyAsyncWithOffset(pointers_.data(), 16, 16, const_cast<const void**>(pointers_.data() + 1), 16,
                                         0, ACL_MEMCPY_DEVICE_TO_DEVICE, s),
              0)
        << aclGetRecentErrMsg();
    order(side, s);
  }
  /// What all this leaves after a few runs of the model.
  std::vector<std::vector<float>> results() {
    for (Cell* cell : {&source_, &sum_, &numbers_, &copied_}) cell->set(0);
    aclmdlRI model = capture([&] { launch_all(); });
    for (int i = 0; i < 3; ++i) execute(model, s);
    sync(s);
    EXPECT_EQ(aclmdlRIDestroy(model), 0);
    destroyed(model);
    counter_.set(0);
    return {source_.elements(), sum_.elements(), numbers_.elements(), copied_.elements()};
  }

 private:
  static aclrtRandomParaInfo given(const void* value, std::uint8_t size) {
    aclrtRandomParaInfo info{};
    std::memcpy(info.valueOrAddr, value, size);
    info.size = size;
    return info;
  }
  aclrtRandomNumTaskInfo random_task() const {
    const float low = 0, high = 1;
    const std::uint64_t seed = 5, count = 8;
    aclrtRandomNumTaskInfo info{};
    info.dataType = ACL_FLOAT;
    info.randomNumFuncParaInfo.funcType = ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS;
    info.randomNumFuncParaInfo.paramInfo.uniformDisInfo = {given(&low, 4), given(&high, 4)};
    info.randomResultAddr = numbers_.address();
    info.randomCounterAddr = counter_.address();
    info.randomSeed = given(&seed, 8);
    info.randomNum = given(&count, 8);
    return info;
  }

  Cell source_, sum_, numbers_, copied_;
  Word counter_;
  const aclrtRandomNumTaskInfo random_ = random_task();
  aclrtCntNotify notify_ = nullptr;
  Pinned<void*> pointers_ = Pinned<void*>(2);

 protected:
  void SetUp() override {
    pointers_[0] = copied_.address();
    pointers_[1] = sum_.address();
  }
};

TEST_F(ManyTasks, DoTheSameWhileTheyAreProfiled) {
  const auto expected = results();
  EXPECT_EQ(expected[0], std::vector<float>(8, 3));
  EXPECT_EQ(expected[1], std::vector<float>(8, 1 + 2 + 3));
  EXPECT_EQ(expected[3], (std::vector<float>{0, 0, 0, 0, 6, 6, 6, 6}));
  const Json events = profile([&] { EXPECT_EQ(results(), expected); });
  expect_events_are_complete(events);
  EXPECT_EQ(find(events, "X", "task", "aclnnInplaceAdds").size(), 3u);
}

TEST_F(ManyTasks, AreProfiledInASnapshot) {
  const auto expected = results();
  aclrtMemPool pool = new_pool();
  void* p = malloc_async(pool, 64, s);
  EXPECT_EQ(aclrtMemsetAsync(p, 64, 7, 64, s), 0);
  profile([&] {
    EXPECT_EQ(aclrtSnapShotProcessLock(getpid(), nullptr), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclrtSnapShotProcessBackup(getpid(), nullptr), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclrtMemset(p, 64, 1, 64), 0);
    EXPECT_EQ(aclrtSnapShotProcessRestore(getpid(), nullptr), 0);
    EXPECT_EQ(aclrtSnapShotProcessUnlock(getpid(), nullptr), 0);
    EXPECT_EQ(results(), expected);
  });
  unsigned char byte = 0;
  EXPECT_EQ(aclrtMemcpy(&byte, 1, p, 1, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_EQ(byte, 7);
  EXPECT_EQ(aclrtFree(p), 0);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
}

struct WatchedTasks : Watch, ManyTasks {};

TEST_F(WatchedTasks, DoTheSameWhileTheyAreRecorded) {
  EXPECT_EQ(results(), results());
  const std::string folder = Watch::folder.path() + "/record";
  const std::vector<Json> calls = recorded_calls(folder);
  ASSERT_EQ(calls.size(), 2U * (1 + 3)) << "one when it is captured, one for each run";
  EXPECT_EQ(recorded_values(folder, calls[3], "selfRef", "after"), std::vector<float>(8, 3));
}

// Beginning or ending a profile visits all streams; some of them end meanwhile.
TEST_F(ProfileTest, BeginsAndEndsWhileStreamsComeAndGo) {
  std::atomic<bool> over{false};
  DeviceThreads threads;
  for (int i = 0; i < 4; ++i) {
    threads.start([&] {
      Cell cell;
      float launched = 0;
      while (!over) {
        const OwnStream stream;
        EXPECT_EQ(increment(cell, stream), 0);
        EXPECT_LE(cell.value(), ++launched);
      }
    });
  }
  aclprofConfig* chosen = config();
  EXPECT_EQ(init(folder.path()), 0);
  for (int i = 0; i < times(100); ++i) {
    EXPECT_EQ(aclprofStart(chosen), 0);
    EXPECT_EQ(aclprofStop(chosen), 0);
  }
  over = true;
  threads.join();
  EXPECT_EQ(aclprofFinalize(), 0);
  EXPECT_EQ(aclprofDestroyConfig(chosen), 0);
  expect_events_are_complete(only_events(folder));
}

/// Programs that end without any clean-up.
class LeftOpen : Watch, public testing::Test {
 protected:
  struct Objects {
    aclrtStream stream = nullptr;
    aclrtMemPool pool = nullptr;
    void* memory = nullptr;
  };
  /// A stream with work that is done, and a pool in use.
  static Objects begin() {
    aclInit(nullptr);
    aclrtSetDevice(0);
    Objects objects;
    aclrtCreateStream(&objects.stream);
    objects.pool = new_pool();
    objects.memory = malloc_async(objects.pool, 64, objects.stream);
    static auto* const cell = new Cell;
    increment(*cell, objects.stream);
    aclrtMemPoolFreeAsync(objects.memory, objects.stream);
    aclrtSynchronizeStream(objects.stream);
    increment(*cell, objects.stream);
    return objects;
  }
  void expect_complete_files(std::size_t tasks) const {
    const Json events = strict_parse_file(trace_path()).at("traceEvents");
    expect_events_are_complete(events);
    EXPECT_GE(find(events, "X", "task", "aclnnInplaceAdds").size(), tasks);
    const std::vector<Json> calls = recorded_calls(folder.path() + "/record");
    ASSERT_GE(calls.size(), tasks);
    EXPECT_EQ(recorded_values(folder.path() + "/record", calls[0], "selfRef", "after"), std::vector<float>(8, 1));
  }
};

TEST_F(LeftOpen, FilesAreCompleteAfterExit) {
  EXPECT_EXIT(
      {
        begin();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
  expect_complete_files(1);
}

TEST_F(LeftOpen, ABlockedStreamDoesNotKeepTheProcess) {
  EXPECT_EXIT(
      {
        const Objects objects = begin();
        static const auto* left = new BlockedStream(objects.stream);
        EXPECT_NE(left, nullptr);
        aclrtMemPoolFreeAsync(malloc_async(objects.pool, 64, objects.stream), objects.stream);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
  expect_complete_files(1);
}

TEST_F(LeftOpen, ADeviceMayBeResetAndTheLibraryFinalisedWithAllOfItOpen) {
  const Objects objects = begin();
  static const auto* left = new BlockedStream(objects.stream);
  EXPECT_NE(left, nullptr);
  aclrtMemPoolFreeAsync(malloc_async(objects.pool, 64, objects.stream), objects.stream);
  const Folder profiles;
  std::uint32_t device = 0;
  EXPECT_EQ(aclprofInit(profiles.path().c_str(), profiles.path().size()), 0);
  EXPECT_EQ(aclprofStart(aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, nullptr, kEverything)), 0);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 30000), 0);
  EXPECT_EQ(aclrtResetDeviceForce(0), 0);
  EXPECT_EQ(aclFinalize(), 0);
  EXPECT_EQ(aclInit(nullptr), 0);
  EXPECT_EQ(aclrtSetDevice(0), 0);
  {
    const Cell cell;
    EXPECT_EQ(increment(cell, nullptr), 0) << aclGetRecentErrMsg();
    sync(nullptr);
    EXPECT_EQ(cell.value(), 1);
  }
  EXPECT_EQ(aclrtMemPoolDestroy(objects.pool), 0);
  EXPECT_EQ(aclrtResetDevice(0), 0);
  EXPECT_EQ(aclprofFinalize(), 0) << aclGetRecentErrMsg();
  // Kernels of begin() are shown, too, when their times are read only after the profile has begun.
  EXPECT_GE(find(only_events(profiles), "X", "task", "aclnnInplaceAdds").size(), 1u);
  EXPECT_EQ(aclFinalize(), 0);
}

}  // namespace
}  // namespace aclvk::test
