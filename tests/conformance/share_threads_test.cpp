// Several threads share memory, events and notifies with another process, and take back what they have shared.
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <set>
#include <string>

#include "support/peer.hpp"
#include "support/stress.hpp"
#include "support/virtual_memory.hpp"

namespace aclvk::test {
namespace {

using ShareThreads = CaptureTest;

constexpr int kThreads = 6;
constexpr int kRounds = 20;

using Key = std::array<char, 65>;

/// Open to processes that are allowed to, unless `flags` says that all are.
std::string key_of(const Cell& memory, std::uint64_t flags) {
  Key key{};
  EXPECT_EQ(aclrtIpcMemGetExportKey(memory.address(), memory.bytes(), key.data(), key.size(), flags), 0)
      << aclGetRecentErrMsg();
  return key.data();
}

/// What the threads have exported now: nothing is given the name of something else.
template <typename Name>
class Living {
 public:
  void add(const Name& name) {
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(names_.insert(name).second) << name;
  }
  void remove(const Name& name) {
    const std::lock_guard lock(mutex_);
    names_.erase(name);
  }

 private:
  std::mutex mutex_;
  std::set<Name> names_;
};

/// Another process opens and closes the key again and again, as long as the threads are at work.
class Reader {
 public:
  explicit Reader(std::string key) : thread_([this, key = std::move(key)] { read_all(key); }) {}
  ~Reader() {
    over_ = true;
    thread_.join();
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

 private:
  void read_all(const std::string& key) {
    Peer peer;
    do {
      EXPECT_EQ(peer.code("import-memory " + key + " 0"), 0);
      EXPECT_EQ(peer.code("close-memory " + key), 0);
    } while (!over_);
  }

  std::atomic<bool> over_{false};
  std::thread thread_;
};

TEST_F(ShareThreads, MemoryIsExportedAndClosedWhileAnotherProcessOpensSome) {
  const Cell shared(5);
  const std::string open = key_of(shared, 1);
  Living<std::string> keys;
  {
    const Reader reader(open);
    const Crowd crowd(kThreads, [&](int) {
      std::int32_t process = 1;
      for (int round = 0; round < kRounds; ++round) {
        const Cell mine;
        const std::string key = key_of(mine, 0);
        keys.add(key);
        EXPECT_EQ(aclrtIpcMemSetImportPid(key.c_str(), &process, 1), 0);
        EXPECT_EQ(aclrtIpcMemSetAttr(key.c_str(), ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 0), 0) << aclGetRecentErrMsg();
        keys.remove(key);
        EXPECT_EQ(aclrtIpcMemClose(key.c_str()), 0);
        EXPECT_EQ(aclrtIpcMemSetImportPid(key.c_str(), &process, 1), ACL_ERROR_RT_PARAM_INVALID);
      }
    });
  }
  EXPECT_EQ(aclrtIpcMemClose(open.c_str()), 0);
}

// As long as one thread has the key open, all get the same pointer, and it is good.
TEST_F(ShareThreads, MemoryOfAnotherProcessIsOpenedByAllThreads) {
  Peer peer;
  ASSERT_EQ(peer.code("allocate 4096"), 0);
  ASSERT_EQ(peer.code("fill 7 4096"), 0);
  const Peer::Answer exported = peer.ask("export-memory 4096 1");
  ASSERT_EQ(exported.code, 0);
  {
    const Crowd crowd(kThreads, [&](int) {
      for (int round = 0; round < kRounds; ++round) {
        void* memory = nullptr;
        void* again = nullptr;
        unsigned char byte = 0;
        EXPECT_EQ(aclrtIpcMemImportByKey(&memory, exported.result.c_str(), 0), 0) << aclGetRecentErrMsg();
        EXPECT_EQ(aclrtIpcMemImportByKey(&again, exported.result.c_str(), 0), 0) << aclGetRecentErrMsg();
        EXPECT_EQ(memory, again);
        EXPECT_EQ(aclrtMemcpy(&byte, 1, memory, 1, ACL_MEMCPY_DEVICE_TO_HOST), 0) << aclGetRecentErrMsg();
        EXPECT_EQ(byte, 7);
        EXPECT_EQ(aclrtIpcMemClose(exported.result.c_str()), 0);
        EXPECT_EQ(aclrtIpcMemClose(exported.result.c_str()), 0);
      }
    });
  }
  EXPECT_EQ(aclrtIpcMemClose(exported.result.c_str()), ACL_ERROR_RT_PARAM_INVALID)
      << "it was closed as often as opened";
}

std::string handle_of(aclrtEvent event) {
  aclrtIpcEventHandle handle{};
  EXPECT_EQ(aclrtIpcGetEventHandle(event, &handle), 0) << aclGetRecentErrMsg();
  return {handle.reserved, sizeof(handle.reserved)};
}

TEST_F(ShareThreads, EventsAreExportedAndDestroyed) {
  aclrtEvent shared = new_event(ACL_EVENT_IPC);
  const std::string known = handle_of(shared);
  const Crowd crowd(kThreads, [&](int) {
    const OwnStream stream;
    for (int round = 0; round < kRounds; ++round) {
      aclrtEvent event = nullptr;
      EXPECT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC), 0);
      EXPECT_EQ(aclrtRecordEvent(event, stream), 0);
      const std::string own = handle_of(event);
      EXPECT_NE(own, known);
      EXPECT_EQ(own, handle_of(event));
      EXPECT_EQ(handle_of(shared), known);
      EXPECT_EQ(aclrtDestroyEvent(event), 0);
    }
    sync(stream);
  });
}

// All threads ask for a key of an event that is exported for the first time: it is the same for all.
TEST_F(ShareThreads, AnEventHasOneHandle) {
  for (int round = 0; round < kRounds; ++round) {
    aclrtEvent event = new_event(ACL_EVENT_IPC);
    std::array<std::string, kThreads> handles;
    {
      const Crowd crowd(kThreads, [&](int thread) { handles[static_cast<std::size_t>(thread)] = handle_of(event); });
    }
    for (const std::string& handle : handles) EXPECT_EQ(handle, handles[0]);
  }
}

TEST_F(ShareThreads, NotifiesAreExportedAndDestroyed) {
  const Crowd crowd(kThreads, [](int) {
    std::int32_t process = 1;
    const OwnStream stream;
    for (int round = 0; round < kRounds; ++round) {
      aclrtNotify notify = nullptr;
      Key key{};
      EXPECT_EQ(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT), 0);
      EXPECT_EQ(aclrtNotifySetImportPid(notify, &process, 1), ACL_ERROR_RT_PARAM_INVALID) << "it has no key yet";
      EXPECT_EQ(aclrtNotifyGetExportKey(notify, key.data(), key.size(), 0), 0) << aclGetRecentErrMsg();
      EXPECT_EQ(aclrtNotifySetImportPid(notify, &process, 1), 0) << aclGetRecentErrMsg();
      EXPECT_EQ(aclrtRecordNotify(notify, stream), 0);
      EXPECT_EQ(aclrtWaitAndResetNotify(notify, stream, 0), 0);
      sync(stream);
      EXPECT_EQ(aclrtDestroyNotify(notify), 0);
    }
  });
}

TEST_F(ShareThreads, PhysicalMemoryIsExportedAndFreed) {
  Living<std::uint64_t> numbers;
  const Crowd crowd(kThreads, [&](int) {
    std::int32_t process = 1;
    for (int round = 0; round < kRounds; ++round) {
      const Physical memory;
      std::uint64_t number = 0;
      EXPECT_EQ(aclrtMemExportToShareableHandle(memory.get(), ACL_MEM_HANDLE_TYPE_NONE, 0, &number), 0)
          << aclGetRecentErrMsg();
      numbers.add(number);
      EXPECT_EQ(aclrtMemSetPidToShareableHandle(number, &process, 1), 0) << aclGetRecentErrMsg();
      numbers.remove(number);
    }
  });
}

}  // namespace
}  // namespace aclvk::test
