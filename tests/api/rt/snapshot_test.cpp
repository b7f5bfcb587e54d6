// Snapshots of the own process: lock, backup, restore, unlock.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "support/acl_fixture.hpp"
#include "support/spinning_kernel.hpp"
#include "support/virtual_memory.hpp"
#include "support/watchdog.hpp"

namespace aclvk::test {
namespace {

aclError lock() { return aclrtSnapShotProcessLock(getpid(), nullptr); }
aclError unlock() { return aclrtSnapShotProcessUnlock(getpid(), nullptr); }
aclError back_up() { return aclrtSnapShotProcessBackup(getpid(), nullptr); }
aclError restore() { return aclrtSnapShotProcessRestore(getpid(), nullptr); }

constexpr size_t kBytes = 1000;

std::string marks;  // those of the callbacks that were called

/// Device memory, all of the same byte.
struct Snapshot : OneStream {
  Snapshot() { marks.clear(); }
  void* allocate(int value) {
    void* memory = nullptr;
    EXPECT_EQ(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    fill(memory, value);
    return memory;
  }
  static void fill(void* memory, int value) { EXPECT_EQ(aclrtMemset(memory, kBytes, value, kBytes), 0); }
  static std::vector<uint8_t> read(const void* memory) {
    std::vector<uint8_t> bytes(kBytes);
    EXPECT_EQ(aclrtMemcpy(bytes.data(), kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    return bytes;
  }
  static std::vector<uint8_t> all(uint8_t value) { return std::vector<uint8_t>(kBytes, value); }
};

using SnapshotWithoutDevice = Plain;

struct SnapshotOfVirtualMemory : Snapshot {
  void SetUp() override {
    Snapshot::SetUp();
    if (lacks_sparse_buffers()) GTEST_SKIP() << kNoSparseBuffers;
  }
  static void set_access(void* at, aclrtMemAccessFlags flags) {
    aclrtMemAccessDesc desc{flags, {0, ACL_MEM_LOCATION_TYPE_DEVICE}, {}};
    EXPECT_EQ(aclrtMemSetAccess(at, kChunk, &desc, 1), 0) << aclGetRecentErrMsg();
  }
};

/// The lock gives up soon.
struct SnapshotOfKernels : Settings, KernelTest {
  SnapshotOfKernels() : Settings({{"ACLVK_SNAPSHOT_WAIT_MS", "50"}}) {}
};

/// Much memory, which a thread fills again and again with the next byte.
class FilledMemory {
 public:
  FilledMemory() {
    void* memory = nullptr;
    EXPECT_EQ(aclrtMalloc(&memory, kFilled, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    EXPECT_EQ(aclrtMemset(memory, kFilled, 0, kFilled), 0);
    start_ = static_cast<uint8_t*>(memory);
    thread_ = std::thread([this] {
      EXPECT_EQ(aclrtSetDevice(0), 0);
      for (int value = 1; !over_; value = value % 100 + 1) {
        EXPECT_EQ(aclrtMemset(start_, kFilled, value, kFilled), 0);
      }
    });
  }
  ~FilledMemory() {
    over_ = true;
    thread_.join();
    EXPECT_EQ(aclrtFree(start_), 0);
  }
  FilledMemory(const FilledMemory&) = delete;
  FilledMemory& operator=(const FilledMemory&) = delete;

  int first() const { return byte_at(0); }
  int last() const { return byte_at(kFilled - 1); }

 private:
  static constexpr size_t kFilled = 16 << 20;

  int byte_at(size_t place) const {
    uint8_t byte = 0;
    EXPECT_EQ(aclrtMemcpy(&byte, 1, start_ + place, 1, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    return byte;
  }

  uint8_t* start_ = nullptr;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

TEST_F(Snapshot, BringsDeviceMemoryBack) {
  void* a = allocate(1);
  void* b = allocate(2);
  ASSERT_EQ(lock(), 0);
  ASSERT_EQ(back_up(), 0);
  fill(a, 3);
  fill(b, 4);
  ASSERT_EQ(restore(), 0);
  EXPECT_EQ(read(a), all(1));
  EXPECT_EQ(read(b), all(2));
  ASSERT_EQ(unlock(), 0);
  EXPECT_EQ(read(a), all(1));
}

TEST_F(Snapshot, CanBeRestoredSeveralTimesAndTakenAgain) {
  void* memory = allocate(1);
  ASSERT_EQ(lock(), 0);
  ASSERT_EQ(back_up(), 0);
  for (int i = 0; i < 2; ++i) {
    fill(memory, 9);
    ASSERT_EQ(restore(), 0);
    EXPECT_EQ(read(memory), all(1));
  }
  fill(memory, 5);
  ASSERT_EQ(back_up(), 0);
  fill(memory, 6);
  ASSERT_EQ(restore(), 0);
  EXPECT_EQ(read(memory), all(5));
  ASSERT_EQ(unlock(), 0);
}

TEST_F(Snapshot, LeavesLaterAndFreedMemoryAlone) {
  void* freed = allocate(1);
  ASSERT_EQ(lock(), 0);
  ASSERT_EQ(back_up(), 0);
  ASSERT_EQ(aclrtFree(freed), 0);
  void* later = allocate(2);
  ASSERT_EQ(restore(), 0);
  EXPECT_EQ(read(later), all(2)) << "also where the freed memory was";
  ASSERT_EQ(unlock(), 0);
}

TEST_F(SnapshotOfVirtualMemory, ContainsMemoryThatMayNotBeUsed) {
  const Reservation addresses(1);
  const Physical physical;
  const Mapped mapped(addresses.at(0), physical);
  fill(addresses.at(0), 1);
  set_access(addresses.at(0), ACL_RT_MEM_ACCESS_FLAGS_NONE);
  ASSERT_EQ(lock(), 0);
  ASSERT_EQ(back_up(), 0);
  set_access(addresses.at(0), ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
  fill(addresses.at(0), 2);
  set_access(addresses.at(0), ACL_RT_MEM_ACCESS_FLAGS_NONE);
  ASSERT_EQ(restore(), 0);
  set_access(addresses.at(0), ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
  EXPECT_EQ(read(addresses.at(0)), all(1));
  ASSERT_EQ(unlock(), 0);
}

TEST_F(SnapshotOfVirtualMemory, LeavesLaterMappingsAlone) {
  const Reservation addresses(1);
  const Physical first, second;
  {
    const Mapped mapped(addresses.at(0), first);
    fill(addresses.at(0), 1);
    ASSERT_EQ(lock(), 0);
    ASSERT_EQ(back_up(), 0);
  }
  const Mapped later(addresses.at(0), second);
  fill(addresses.at(0), 2);
  ASSERT_EQ(restore(), 0);
  EXPECT_EQ(read(addresses.at(0)), all(2));
  ASSERT_EQ(unlock(), 0);
}

TEST_F(Snapshot, ContainsTheWorkThatWasUnderWay) {
  void* memory = allocate(0);
  for (int i = 1; i <= 100; ++i) ASSERT_EQ(aclrtMemsetAsync(memory, kBytes, i, kBytes, s), 0);
  ASSERT_EQ(lock(), 0);
  ASSERT_EQ(back_up(), 0);
  fill(memory, 0);
  ASSERT_EQ(restore(), 0);
  EXPECT_EQ(read(memory), all(100));
  ASSERT_EQ(unlock(), 0);
}

TEST_F(Snapshot, HoldsOtherThreadsBackUntilItIsUnlocked) {
  void* memory = allocate(1);
  ASSERT_EQ(lock(), 0);
  std::atomic<bool> written{false};
  std::thread other([&] {
    EXPECT_EQ(aclrtSetDevice(0), 0);
    fill(memory, 7);
    written = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(written);
  ASSERT_EQ(back_up(), 0);
  ASSERT_EQ(restore(), 0);
  EXPECT_EQ(read(memory), all(1));
  ASSERT_EQ(unlock(), 0);
  other.join();
  EXPECT_EQ(read(memory), all(7)) << "and then the call does its work";
}

TEST_F(Snapshot, WaitsForCallsThatGoPastStreams) {
  FilledMemory a, b;
  for (int round = 0; round < 10; ++round) {
    ASSERT_EQ(lock(), 0) << "although one of them is under way all the time";
    EXPECT_EQ(a.first(), a.last());
    EXPECT_EQ(b.first(), b.last());
    ASSERT_EQ(unlock(), 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
}

TEST_F(SnapshotOfKernels, WaitForTheWorkOfStreamsThatAreGone) {
  const aclrtFuncHandle spin = load_function(kSpin);
  aclrtStream gone = nullptr;
  ASSERT_EQ(aclrtCreateStream(&gone), 0);
  Spinning kernel(spin, gone);
  ASSERT_EQ(aclrtDestroyStreamForce(gone), 0);
  EXPECT_EQ(lock(), ACL_ERROR_SNAPSHOT_LOCK_TIMEOUT);
  EXPECT_EQ(unlock(), ACL_ERROR_SNAPSHOT_UNLOCK_FAILED) << "the process was left unlocked";
  kernel.release();
  aclError locked = ACL_ERROR_SNAPSHOT_LOCK_TIMEOUT;
  while (locked == ACL_ERROR_SNAPSHOT_LOCK_TIMEOUT) locked = lock();
  EXPECT_EQ(locked, 0);
  EXPECT_EQ(back_up(), 0);
  EXPECT_EQ(unlock(), 0);
}

TEST_F(Snapshot, CanBeDrivenBySeveralThreads) {
  void* memory = allocate(1);
  ASSERT_EQ(lock(), 0);
  on_another_thread([] { EXPECT_EQ(back_up(), 0); });
  fill(memory, 2);
  on_another_thread([] {
    EXPECT_EQ(restore(), 0);
    EXPECT_EQ(unlock(), 0);
  });
  EXPECT_EQ(read(memory), all(1));
}

TEST_F(Snapshot, GoesStepByStep) {
  EXPECT_EQ(unlock(), ACL_ERROR_SNAPSHOT_UNLOCK_FAILED);
  EXPECT_EQ(back_up(), ACL_ERROR_SNAPSHOT_BACKUP_FAILED);
  EXPECT_EQ(restore(), ACL_ERROR_SNAPSHOT_RESTORE_FAILED);
  ASSERT_EQ(lock(), 0);
  EXPECT_EQ(lock(), ACL_ERROR_SNAPSHOT_LOCK_FAILED);
  EXPECT_EQ(restore(), ACL_ERROR_SNAPSHOT_RESTORE_FAILED) << "there is no backup";
  ASSERT_EQ(back_up(), 0);
  ASSERT_EQ(unlock(), 0);
  ASSERT_EQ(lock(), 0);
  EXPECT_EQ(restore(), ACL_ERROR_SNAPSHOT_RESTORE_FAILED) << "the backup went with the lock";
  ASSERT_EQ(unlock(), 0);
}

TEST_F(Snapshot, IsOfTheOwnProcess) {
  const int other = getppid();
  aclrtSnapShotBackupArgs backup{};
  aclrtSnapShotRestoreArgs restoring{};
  EXPECT_EQ(aclrtSnapShotProcessLock(other, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSnapShotProcessUnlock(other, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSnapShotProcessBackup(other, &backup), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSnapShotProcessRestore(other, &restoring), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSnapShotProcessLock(-1, nullptr), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(lock(), 0) << "nothing was locked";
  ASSERT_EQ(unlock(), 0);
}

TEST_F(Snapshot, TakesArgumentsOfZeros) {
  int reserved = 0;
  EXPECT_EQ(aclrtSnapShotProcessLock(getpid(), &reserved), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(lock(), 0);
  EXPECT_EQ(aclrtSnapShotProcessUnlock(getpid(), &reserved), ACL_ERROR_INVALID_PARAM);
  aclrtSnapShotBackupArgs backup{};
  aclrtSnapShotRestoreArgs restoring{};
  EXPECT_EQ(aclrtSnapShotProcessBackup(getpid(), &backup), 0);
  EXPECT_EQ(aclrtSnapShotProcessRestore(getpid(), &restoring), 0);
  backup.backupFlags = 1;
  restoring.reserved[59] = 1;
  EXPECT_EQ(aclrtSnapShotProcessBackup(getpid(), &backup), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSnapShotProcessRestore(getpid(), &restoring), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(unlock(), 0);
}

TEST_F(SnapshotWithoutDevice, HasNothingToSave) {
  EXPECT_EQ(lock(), 0);
  EXPECT_EQ(back_up(), 0);
  EXPECT_EQ(restore(), 0);
  EXPECT_EQ(unlock(), 0);
}

TEST_F(SnapshotWithoutDevice, IsNotTakenOfWorkThatDoesNotEnd) {
  setenv("ACLVK_SNAPSHOT_WAIT_MS", "50", 1);
  ASSERT_EQ(aclrtSetDevice(0), 0);
  {
    BlockedStream blocked;
    EXPECT_EQ(lock(), ACL_ERROR_SNAPSHOT_LOCK_TIMEOUT);
    blocked.release();
  }
  EXPECT_EQ(lock(), 0) << "the process was left unlocked";
  EXPECT_EQ(unlock(), 0);
}

TEST_F(Snapshot, DoesNotSwallowErrorsOfStreams) {
  ASSERT_EQ(lock(), 0);
  ASSERT_EQ(unlock(), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(Snapshot, MayBeTakenWhileAStreamIsCaptured) {
  void* memory = allocate(1);
  ASSERT_EQ(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED), 0);
  ASSERT_EQ(aclrtMemsetAsync(memory, kBytes, 8, kBytes, s), 0);
  ASSERT_EQ(lock(), 0);
  ASSERT_EQ(back_up(), 0);
  ASSERT_EQ(restore(), 0);
  ASSERT_EQ(unlock(), 0);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
  EXPECT_EQ(read(memory), all(1));
  ASSERT_EQ(aclmdlRIExecuteAsync(model, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(read(memory), all(8));
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

// Callbacks.

template <char kMark>
uint32_t note(int32_t device, void* user) {
  EXPECT_EQ(device, 0);
  marks += kMark;
  return user ? *static_cast<uint32_t*>(user) : 0;
}

TEST_F(Snapshot, TellsItsStages) {
  EXPECT_EQ(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_LOCK_PRE, note<'L'>, nullptr), 0);
  EXPECT_EQ(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_BACKUP_PRE, note<'b'>, nullptr), 0);
  EXPECT_EQ(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_BACKUP_POST, note<'B'>, nullptr), 0);
  EXPECT_EQ(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_RESTORE_PRE, note<'r'>, nullptr), 0);
  EXPECT_EQ(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_RESTORE_POST, note<'R'>, nullptr), 0);
  EXPECT_EQ(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_UNLOCK_POST, note<'U'>, nullptr), 0);
  EXPECT_EQ(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_UNLOCK_POST, note<'u'>, nullptr), 0);
  EXPECT_EQ(lock(), 0);
  EXPECT_EQ(back_up(), 0);
  EXPECT_EQ(restore(), 0);
  EXPECT_EQ(unlock(), 0);
  EXPECT_EQ(marks, "LbBrRUu");
}

TEST_F(Snapshot, EndsAStepWhenACallbackFails) {
  uint32_t answer = 3;
  ASSERT_EQ(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_LOCK_PRE, note<'L'>, &answer), 0);
  EXPECT_EQ(lock(), ACL_ERROR_SNAPSHOT_CALLBACK_FAILED);
  EXPECT_EQ(unlock(), ACL_ERROR_SNAPSHOT_UNLOCK_FAILED) << "it is not locked";
  answer = 0;
  ASSERT_EQ(lock(), 0);
  answer = 1;
  ASSERT_EQ(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_BACKUP_PRE, note<'b'>, &answer), 0);
  EXPECT_EQ(back_up(), ACL_ERROR_SNAPSHOT_CALLBACK_FAILED);
  EXPECT_EQ(restore(), ACL_ERROR_SNAPSHOT_RESTORE_FAILED) << "there is no backup";
  ASSERT_EQ(unlock(), 0);
}

uint32_t unlock_within(int32_t, void* result) {
  *static_cast<aclError*>(result) = unlock();
  return 0;
}

TEST_F(Snapshot, RefusesAStepWithinAStep) {
  aclError result = 0;
  ASSERT_EQ(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_BACKUP_PRE, unlock_within, &result), 0);
  ASSERT_EQ(lock(), 0);
  EXPECT_EQ(back_up(), 0);
  EXPECT_EQ(result, ACL_ERROR_SNAPSHOT_UNLOCK_FAILED);
  EXPECT_EQ(unlock(), 0);
}

aclError copy_within(void* memory) {
  const aclError set = aclrtSetDevice(0);
  std::uint8_t byte = 0;
  return set ? set : aclrtMemcpy(&byte, 1, memory, 1, ACL_MEMCPY_DEVICE_TO_HOST);
}

TEST_F(Snapshot, LetsCallbacksUseDevicesWhicheverThreadTakesTheStep) {
  const Watchdog watchdog(std::chrono::seconds(60), "A callback waits for the process to be unlocked.");
  void* memory = allocate(1);
  const auto use = [](int32_t, void* user) { return static_cast<std::uint32_t>(copy_within(user)); };
  ASSERT_EQ(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_BACKUP_PRE, use, memory), 0);
  ASSERT_EQ(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_RESTORE_POST, use, memory), 0);
  ASSERT_EQ(lock(), 0);
  on_another_thread([] {
    EXPECT_EQ(back_up(), 0);
    EXPECT_EQ(restore(), 0);
  });
  EXPECT_EQ(unlock(), 0);
}

TEST_F(Snapshot, CallbacksAreRegisteredOnce) {
  EXPECT_EQ(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_LOCK_PRE, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSnapShotCallbackUnregister(ACL_RT_SNAPSHOT_LOCK_PRE, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSnapShotCallbackRegister(static_cast<aclrtSnapShotStage>(6), note<'x'>, nullptr),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_LOCK_PRE, note<'x'>, nullptr), 0);
  EXPECT_EQ(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_LOCK_PRE, note<'x'>, nullptr),
            ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED);
  EXPECT_EQ(aclrtSnapShotCallbackUnregister(ACL_RT_SNAPSHOT_BACKUP_PRE, note<'x'>),
            ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED);
  EXPECT_EQ(aclrtSnapShotCallbackUnregister(ACL_RT_SNAPSHOT_LOCK_PRE, note<'x'>), 0);
  EXPECT_EQ(lock(), 0);
  EXPECT_EQ(marks, "");
  EXPECT_EQ(unlock(), 0);
}

}  // namespace
}  // namespace aclvk::test
