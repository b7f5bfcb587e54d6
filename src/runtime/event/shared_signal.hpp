#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>

#include "base/file.hpp"
#include "runtime/task/point.hpp"
#include "vk_device/memory/host_pages.hpp"

namespace aclvk::runtime {

/// One page of memory that several processes map. Filled with zeros at first.
class SharedPage {
 public:
  /// Makes a new page.
  SharedPage();
  /// Maps the page of another process. Throws kParamInvalid when the file is no such page.
  explicit SharedPage(File file);
  ~SharedPage();
  SharedPage(const SharedPage&) = delete;
  SharedPage& operator=(const SharedPage&) = delete;

  const File& file() const { return pages_.file(); }
  void* memory() const { return memory_; }

 private:
  void map();

  vk::HostPages pages_;
  void* memory_ = nullptr;
};

/// The state of an IPC event, in a page that its processes share. Records of the event are numbered across processes,
/// and the page holds for each whether it has been reached, so that a wait refers to the newest record at the time of
/// its call. The page has 250 slots, which records share modulo 250: an older record counts as reached when a newer one
/// of its slot is. Lock-free; thread and process safe.
class SharedEvent {
 public:
  SharedEvent();
  explicit SharedEvent(File file);

  const File& file() const { return page_.file(); }
  /// Returns the number of a new record of this process.
  std::uint64_t issue();
  void mark_reached(std::uint64_t record);
  /// Reports that the device of this process was lost before it reached the record.
  void mark_lost(std::uint64_t record);
  /// Returns the number of the newest record of any process; 0 before the first.
  std::uint64_t newest() const;
  bool reached(std::uint64_t record) const;
  /// Returns the process that issued the record; -1 when its device is lost, 0 when a newer record has taken its slot.
  pid_t issuer(std::uint64_t record) const;
  /// Returns whether the record can never be reached: the issuer of the record that has the slot now has ended, or its
  /// device is lost.
  bool lost(std::uint64_t record) const;

 private:
  struct Page;
  Page& page() const;

  SharedPage page_;
};

/// Returns the work that a Point for a record of another process waits for.
std::shared_ptr<const RemoteWork> remote_record(std::shared_ptr<const SharedEvent> event, std::uint64_t record);

/// The state of a notify, in a page that its processes share.
class SharedFlag {
 public:
  SharedFlag();
  explicit SharedFlag(File file);

  const File& file() const { return page_.file(); }
  void set();
  /// Clears the flag. Returns whether it was set.
  bool test_and_clear();

 private:
  SharedPage page_;
};

}  // namespace aclvk::runtime
