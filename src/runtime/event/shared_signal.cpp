#include "runtime/event/shared_signal.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "runtime/host/process.hpp"

namespace aclvk::runtime {
namespace {

constexpr std::uint64_t kPageBytes = 4096;  // as all processes agree; part of one page where those are larger

// Replaces the pid of an issuer that has lost its device.
constexpr pid_t kLostDevice = -1;

bool has_issuer_ended(pid_t issuer) { return issuer == kLostDevice || (issuer > 0 && has_ended(issuer)); }

class RemoteRecord final : public RemoteWork {
 public:
  RemoteRecord(std::shared_ptr<const SharedEvent> event, std::uint64_t record)
      : event_(std::move(event)), record_(record), issuer_(event_->issuer(record)) {}
  bool reached() const override { return event_->reached(record_); }
  bool lost() const override {
    if (event_->lost(record_)) return true;
    const pid_t issuer = event_->issuer(record_);
    if (issuer != 0) issuer_ = issuer;
    return issuer == 0 && has_issuer_ended(issuer_) && !reached();
  }

 private:
  std::shared_ptr<const SharedEvent> event_;
  std::uint64_t record_;
  // The last known issuer: a newer record that takes the slot may itself wait for this one, and would hide its end.
  mutable pid_t issuer_;
};

std::atomic<std::uint32_t>& flag_in(const SharedPage& page) {
  return *static_cast<std::atomic<std::uint32_t>*>(page.memory());
}

}  // namespace

SharedPage::SharedPage() : pages_(kPageBytes) { map(); }
SharedPage::SharedPage(File file) : pages_(std::move(file), kPageBytes) { map(); }

SharedPage::~SharedPage() { munmap(memory_, kPageBytes); }

void SharedPage::map() {
  memory_ = mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file().fd(), 0);
  check(memory_ != MAP_FAILED, Code::kMemoryAllocation, "A shared page of {} bytes cannot be mapped: {}.", kPageBytes,
        std::strerror(errno));
}

struct SharedEvent::Page {
  struct Record {
    std::atomic<std::uint64_t> reached;  // the highest reached record of this slot
    std::atomic<pid_t> process;          // issuer of the newest record of this slot, or kLostDevice
  };
  // Records of 16 bytes: all of them and the number of the newest one fit into a page.
  static constexpr std::size_t kRecords = 250;

  std::atomic<std::uint64_t> newest;
  std::array<Record, kRecords> records;

  Record& record(std::uint64_t number) { return records[number % kRecords]; }
};

SharedEvent::SharedEvent() {
  // Lock-free atomics work in memory that two processes map at different addresses.
  static_assert(sizeof(Page) <= kPageBytes && std::atomic<std::uint64_t>::is_always_lock_free);
}
SharedEvent::SharedEvent(File file) : page_(std::move(file)) {}

SharedEvent::Page& SharedEvent::page() const { return *static_cast<Page*>(page_.memory()); }

std::uint64_t SharedEvent::issue() {
  const std::uint64_t record = page().newest.fetch_add(1) + 1;
  page().record(record).process = getpid();
  return record;
}

// An atomic maximum, by compare-and-swap.
void SharedEvent::mark_reached(std::uint64_t record) {
  auto& reached = page().record(record).reached;
  std::uint64_t seen = reached.load();
  while (seen < record && !reached.compare_exchange_weak(seen, record)) continue;
}

void SharedEvent::mark_lost(std::uint64_t record) {
  pid_t issuer = getpid();
  page().record(record).process.compare_exchange_strong(issuer, kLostDevice);
}

std::uint64_t SharedEvent::newest() const { return page().newest; }

bool SharedEvent::reached(std::uint64_t record) const { return page().record(record).reached >= record; }

pid_t SharedEvent::issuer(std::uint64_t record) const {
  const pid_t process = page().record(record).process;
  return newest() < record + Page::kRecords ? process : 0;
}

// issue() writes the pid after the number of the record. Until then the slot holds 0 or the pid of an older record, so
// that this reads it twice.
bool SharedEvent::lost(std::uint64_t record) const {
  const pid_t process = page().record(record).process;
  return has_issuer_ended(process) && page().record(record).process == process && !reached(record);
}

std::shared_ptr<const RemoteWork> remote_record(std::shared_ptr<const SharedEvent> event, std::uint64_t record) {
  return std::make_shared<RemoteRecord>(std::move(event), record);
}

SharedFlag::SharedFlag() = default;
SharedFlag::SharedFlag(File file) : page_(std::move(file)) {}

void SharedFlag::set() { flag_in(page_) = 1; }
bool SharedFlag::test_and_clear() { return flag_in(page_).exchange(0) == 1; }

}  // namespace aclvk::runtime
