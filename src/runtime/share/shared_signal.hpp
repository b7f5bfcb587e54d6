#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>

#include "base/file.hpp"
#include "runtime/event/point.hpp"
#include "vk_device/host_pages.hpp"

namespace aclvk::runtime {

/// One page of memory that several processes see. It starts with zeros.
class SharedPage {
 public:
  /// A new page.
  SharedPage();
  /// That of another process. Throws kParamInvalid when the file is no such page.
  explicit SharedPage(File file);
  ~SharedPage();
  SharedPage(const SharedPage&) = delete;
  SharedPage& operator=(const SharedPage&) = delete;

  const File& file() const { return pages_.file(); }
  void* memory() const { return memory_; }

 private:
  void show();

  vk::HostPages pages_;
  void* memory_ = nullptr;
};

/// The state of an IPC event. Records are numbered through all processes, and the page tells which have been reached,
/// so that a wait keeps to the record that was the newest when it was issued. The last 250 are told apart; what is
/// older has its place from a newer one, and counts as reached when that one is.
class SharedEvent {
 public:
  SharedEvent();
  explicit SharedEvent(File file);

  const File& file() const { return page_.file(); }
  /// The number of a record that is issued now.
  std::uint64_t issue();
  void note_reached(std::uint64_t record);
  /// The device of this process has been lost with it.
  void note_lost(std::uint64_t record);
  /// The number of the newest record of any process; 0: never recorded.
  std::uint64_t newest() const;
  bool reached(std::uint64_t record) const;
  /// The process that issued the record; -1 when its device is lost, 0 when another record has taken its place.
  pid_t issuer(std::uint64_t record) const;
  /// The process that issued the record, or the one that has taken its place, has ended, or its device is lost.
  bool lost(std::uint64_t record) const;

 private:
  struct Page;
  Page& page() const;

  SharedPage page_;
};

/// What a Point of another process's record waits for.
std::shared_ptr<const Elsewhere> record_elsewhere(std::shared_ptr<const SharedEvent> event, std::uint64_t record);

/// The state of a notify that several processes use.
class SharedFlag {
 public:
  SharedFlag();
  explicit SharedFlag(File file);

  const File& file() const { return page_.file(); }
  void set();
  /// Clears it; whether it was set.
  bool take();

 private:
  SharedPage page_;
};

}  // namespace aclvk::runtime
