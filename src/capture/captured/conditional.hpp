#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/handle.hpp"
#include "capture/captured/captured_model.hpp"
#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task.hpp"
#include "vk_device/buffers/buffer.hpp"

namespace aclvk::capture {

/// An aclmdlRICondHandle: a 64-bit word of device memory that selects the body of a conditional task, and the bodies
/// once the task has been added. Owned by the model in whose capture it was created.
class Conditional {
 public:
  /// IF: body 0 for a non-zero word, else body 1 if there is one. WHILE: body 0 as long as the word is not zero.
  /// SWITCH: the body whose index is the word.
  enum class Kind { kIf = 0, kWhile = 1, kSwitch = 2 };

  /// Allocates the word, zeroed.
  Conditional(const CapturedModelPtr& owner, std::optional<std::uint64_t> default_value);
  ~Conditional();
  Conditional(const Conditional&) = delete;
  Conditional& operator=(const Conditional&) = delete;

  /// Returns the body to run for a value of the word; null if no body runs.
  CapturedModel* choose(std::uint64_t value) const REQUIRES(runtime::scheduler_mutex);

  const std::weak_ptr<CapturedModel> model;
  const std::optional<std::uint64_t> default_value;  ///< written into the word at the start of each run of the model
  vk::BufferRange word;
  void* pointer = nullptr;  ///< the word's device address
  void* handle = nullptr;
  bool has_task GUARDED_BY(runtime::scheduler_mutex) = false;  ///< true once the conditional task has been added
  Kind kind GUARDED_BY(runtime::scheduler_mutex) = Kind::kIf;
  std::vector<CapturedModelPtr> bodies GUARDED_BY(runtime::scheduler_mutex);

 private:
  /// Reserves the word. The public constructor delegates to it: if a later step throws, the destructor runs.
  Conditional(const CapturedModelPtr& owner, std::optional<std::uint64_t> default_value,
              std::shared_ptr<runtime::Device> device);

  const std::shared_ptr<runtime::Device> device_;
  vk::BufferRange reserved_;  // keeps the word's bytes reserved even if the program passes `pointer` to aclrtFree
};

using ConditionalHandles = HandleTable<Conditional, HandleTag::kConditional>;
ConditionalHandles& conditional_handles();

/// Creates a condition handle (aclmdlRICondHandleCreate). `flag` 1 (ASSIGN_DEFAULT): each run writes the default value
/// first. Throws kParamInvalid for another flag than 0 or 1 and unless the model is being captured, kModelContext.
std::shared_ptr<Conditional> create_conditional(const CapturedModelPtr& model, std::uint32_t default_value, int flag);

/// Captures a conditional task on the stream (aclmdlRIAddCondTask) and creates its `size` bodies as empty sub-models,
/// which the program captures next. Returns the handles of the bodies. Throws kParamInvalid, kStreamNotCaptured.
std::vector<void*> add_conditional_task(const runtime::StreamPtr& stream,
                                        const std::shared_ptr<Conditional>& conditional, int kind, std::uint32_t size);

}  // namespace aclvk::capture
