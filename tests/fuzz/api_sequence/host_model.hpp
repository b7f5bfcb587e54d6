#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace aclvk::fuzz {

using Handle = void*;

struct ModelState;
using ModelPtr = std::shared_ptr<ModelState>;

struct GroupState {
  std::weak_ptr<ModelState> model;
  std::size_t kernels = 0;
  bool updating = false;
};

struct StreamState {
  Handle context = nullptr;
  std::uint32_t flags = 0;
  bool is_default = false;
  ModelPtr capture;                    ///< the model that it is captured into
  ModelPtr bound;                      ///< the model that is built from it
  std::shared_ptr<GroupState> update;  ///< between UpdateBegin and UpdateEnd
  std::size_t updated = 0;             ///< kernels launched since
  bool subscribed = false;
  bool may_block = false;  ///< a task of it may wait for what never comes
  bool may_fail = false;   ///< its next synchronisation may report an earlier end of tasks

  bool executes() const { return !capture && !bound && !update; }
  /// Its tasks do not run by themselves, or no thread waits for them.
  bool odd() const { return (flags & 0x34) != 0; }
};

enum class Maker { kPlain, kWithFlag, kExWithFlag };

struct EventState {
  Maker maker = Maker::kPlain;
  std::uint32_t flags = 0;
  bool ever_recorded = false;
  bool may_block = false;
  ModelPtr captured;  ///< as long as that capture lasts

  bool external() const { return (flags & 0x20) != 0; }
  bool device_only() const { return (flags & 0x10) != 0; }
  bool shared() const { return (flags & 0x40) != 0; }
  bool synchronises() const { return maker == Maker::kPlain || (flags & (0x1 | 0x20 | 0x40)) != 0; }
  bool timed() const { return maker == Maker::kPlain || (flags & 0x8) != 0; }
  bool ex() const { return maker == Maker::kExWithFlag; }
};

/// A model that is captured or built, from its first moment on.
struct ModelState {
  enum class Phase { kEmpty, kMaking, kReady, kGone };

  Handle handle = nullptr;
  Handle context = nullptr;
  Handle origin = nullptr;  ///< the stream on which its capture began
  Phase phase = Phase::kMaking;
  bool built = false;
  bool sub = false;
  bool poisoned = false;
  bool uncertain = false;  ///< tasks were changed, or its context is gone
  bool lost_wait = false;
  bool forked = false;
  bool has_end = false;
  bool waits = false;    ///< a task waits for something from outside
  bool may_run = false;  ///< a run may wait for ever
  int thread = 0;
  int mode = 0;
  Handle group_stream = nullptr;  ///< where a task group is open
  std::size_t group_kernels = 0;
  bool group_failed = false;
  std::weak_ptr<ModelState> parent;
  std::vector<ModelPtr> bodies;
  bool making() const { return phase == Phase::kMaking; }
};

struct Allocation {
  std::size_t bytes = 0;
  bool device = true;
};

/// The state of the library by its specification after some calls, and nothing that needs a device.
class HostModel {
 public:
  static constexpr int kThreads = 2;

  std::map<Handle, bool> contexts;  ///< true: the primary one
  std::map<Handle, StreamState> streams;
  std::map<Handle, EventState> events;
  std::map<Handle, bool> notifies;
  std::map<Handle, ModelPtr> models;
  std::map<Handle, std::shared_ptr<GroupState>> groups;
  std::map<std::uintptr_t, Allocation> memory;
  std::array<Handle, kThreads> current{};  ///< contexts
  std::array<int, kThreads> exchanged{};   ///< capture modes of threads
  std::uint32_t device_references = 0;
  bool has_freed = false;  ///< memory that models may refer to

  Handle context_of(int thread) const;
  Handle default_stream_of(Handle context) const;
  /// Something anywhere may wait for ever.
  bool may_block() const;
  bool captures_in(Handle context) const;
  /// A call that no stream orders is refused on this thread (capture-semantics, section 5).
  bool forbidden(int thread) const;

  /// The capture of the model ends: all streams and events are free. It is gone unless `ready`.
  void end_capture(ModelPtr model, bool ready);
  void forget_model(ModelPtr model);
  void forget_stream(Handle stream);
  void forget_context(Handle context);
};

}  // namespace aclvk::fuzz
