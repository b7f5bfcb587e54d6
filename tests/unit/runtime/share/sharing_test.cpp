// Keys and offers, without a second process: tests/api/*_share_test.cpp have one.
#include "runtime/share/sharing.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

#include "base/error.hpp"
#include "runtime/share/share_socket.hpp"

namespace aclvk::runtime {
namespace {

Offer some_offer(bool plain_number = false) {
  Offer offer;
  offer.file = File(open("/dev/null", O_RDONLY | O_CLOEXEC));
  offer.plain_number = plain_number;
  return offer;
}

TEST(ShareKeys, AreReadFromTheirText) {
  const ShareKey key = offer(some_offer());
  EXPECT_TRUE(key.own());
  const std::string text = key.text();
  EXPECT_EQ(text.size(), ShareKey::kTextSize);
  EXPECT_TRUE(ShareKey::parse(text.c_str()) == key);
  EXPECT_TRUE(withdraw(key));
}

TEST(ShareKeys, AreRefusedWhenTheyAreNoKeys) {
  for (const std::string& text : {std::string(), std::string(63, '0'), std::string(64, 'g'), std::string(64, '-')}) {
    EXPECT_THROW(ShareKey::parse(text.c_str()), Error) << text;
  }
}

TEST(Offers, HaveSecretsUnlessTheKeyIsANumber) {
  const ShareKey key = offer(some_offer());
  const ShareKey other = offer(some_offer());
  const ShareKey number = offer(some_offer(true));
  EXPECT_FALSE(key == other);
  EXPECT_TRUE((ShareKey{number.number, {}}) == number);
  EXPECT_FALSE(withdraw({key.number, {}})) << "without the secret";
  for (const ShareKey& each : {key, other, number}) EXPECT_TRUE(withdraw(each));
  EXPECT_FALSE(withdraw(key));
}

TEST(Offers, AreNotTakenByTheirOwnProcess) {
  const ShareKey key = offer(some_offer());
  EXPECT_THROW(take(SharedKind::kMemory, key), Error);
  EXPECT_TRUE(withdraw(key));
}

TEST(Offers, HaveAListOfTheirKindAlone) {
  const ShareKey key = offer(some_offer());
  EXPECT_NO_THROW(allow(SharedKind::kMemory, key, {1}));
  EXPECT_THROW(allow(SharedKind::kNotify, key, {1}), Error);
  EXPECT_TRUE(withdraw(key));
  EXPECT_THROW(allow(SharedKind::kMemory, key, {1}), Error);
}

TEST(Offers, AreNotAllowedByAChild) {
  const ShareKey key = offer(some_offer());
  const pid_t child = fork();
  if (child == 0) {
    try {
      allow(SharedKind::kMemory, key, {getppid()});
      _exit(1);
    } catch (const Error&) {
      _exit(0);
    }
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(withdraw(key));
}

// Another thread holds the lock of the offers nearly always, and does not exist in the child.
TEST(Offers, CanBeUsedByAChildWhateverOtherThreadsDo) {
  const ShareKey key = offer(some_offer());
  std::atomic<bool> done{false};
  std::thread busy([&] {
    while (!done) withdraw(offer(some_offer()));
  });
  for (int i = 0; i < 200; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);  // a child that waits for the lock dies
      _exit(withdraw(key) ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    if (status != 0) break;
  }
  done = true;
  busy.join();
  EXPECT_TRUE(withdraw(key));
}

// Writes its key, and serves the offer until it is killed.
[[noreturn]] void offer_as_child(int pipe) {
  Offer made = some_offer();
  made.to_all = true;
  const std::string key = offer(std::move(made)).text();
  if (write(pipe, key.data(), key.size()) == static_cast<ssize_t>(key.size())) pause();
  _exit(1);
}

/// A child with an offer.
class Child {
 public:
  Child() {
    int ends[2] = {};
    EXPECT_EQ(pipe(ends), 0);
    process_ = fork();
    if (process_ == 0) offer_as_child(ends[1]);
    close(ends[1]);
    char text[ShareKey::kTextSize] = {};
    EXPECT_EQ(read(ends[0], text, sizeof(text)), ssize_t{sizeof(text)});
    close(ends[0]);
    EXPECT_NO_THROW(key_ = ShareKey::parse(text));
  }
  ~Child() {
    kill(process_, SIGKILL);
    EXPECT_EQ(waitpid(process_, nullptr, 0), process_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t process() const { return process_; }
  const ShareKey& key() const { return key_; }

 private:
  pid_t process_ = 0;
  ShareKey key_;
};

TEST(Offers, OfAChildAreServedByIt) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer ends a child of a process with threads that starts one.";
#endif
  const ShareKey own = offer(some_offer());
  const Child child;
  EXPECT_EQ(child.key().process(), child.process());
  EXPECT_NO_THROW(EXPECT_TRUE(take(SharedKind::kMemory, child.key()).file.open()));
  EXPECT_TRUE(withdraw(own));
}

// As stopped processes do. Served one after the other, they would use up the time that a request may take.
TEST(Offers, AreServedBesideConnectionsWithoutARequest) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer ends a child of a process with threads that starts one.";
#endif
  const Child child;
  const File silent[] = {connect_local(kShareService, child.process()), connect_local(kShareService, child.process()),
                         connect_local(kShareService, child.process())};
  for (const File& connection : silent) EXPECT_TRUE(connection.open());
  EXPECT_NO_THROW(EXPECT_TRUE(take(SharedKind::kMemory, child.key()).file.open()));
}

}  // namespace
}  // namespace aclvk::runtime
