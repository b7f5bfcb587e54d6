#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/handle.hpp"
#include "capture/captured_model.hpp"
#include "runtime/stream/task.hpp"
#include "vk_device/buffer.hpp"

namespace aclvk::capture {

/// An aclmdlRICondHandle: the word of device memory by which a conditional task decides, and once that task has been
/// added, its bodies. Belongs to the model in whose capture it was made. Needs the scheduler's lock.
class Conditional {
 public:
  enum class Kind { kIf = 0, kWhile = 1, kSwitch = 2 };

  /// Allocates the word, zeroed.
  Conditional(const CapturedModelPtr& owner, std::optional<std::uint64_t> default_value);
  ~Conditional();
  Conditional(const Conditional&) = delete;
  Conditional& operator=(const Conditional&) = delete;

  /// The body to run when the word has this value; null for none.
  CapturedModel* choose(std::uint64_t value) const;

  const std::weak_ptr<CapturedModel> model;
  const std::optional<std::uint64_t> default_value;  ///< each launch of the model writes it into the word first
  vk::BufferRange word;
  void* pointer = nullptr;  ///< the word's device address
  void* handle = nullptr;
  bool has_task = false;  ///< the conditional task has been added
  Kind kind = Kind::kIf;
  std::vector<CapturedModelPtr> bodies;

 private:
  /// Allocates the word. What can fail after it is done by the other constructor: the destructor runs then.
  Conditional(const CapturedModelPtr& owner, std::optional<std::uint64_t> default_value,
              std::shared_ptr<runtime::Device> device);

  const std::shared_ptr<runtime::Device> device_;
  vk::BufferRange reserved_;  // of the word: aclrtFree ends what is allocated, but not what is cut from reserved bytes
};

using ConditionalHandles = HandleTable<Conditional, HandleTag::kConditional>;
ConditionalHandles& conditional_handles();

/// aclmdlRICondHandleCreate. Throws kParamInvalid (flag above 1, the model is not capturing), kModelContext.
std::shared_ptr<Conditional> create_conditional(const CapturedModelPtr& model, std::uint32_t default_value, int flag);

/// aclmdlRIAddCondTask: a task of the stream that decides by the conditional's word and passes through one of `size`
/// new sub-models, which are still to be captured. Throws kParamInvalid, kStreamNotCaptured.
void add_conditional_task(const runtime::StreamPtr& stream, const std::shared_ptr<Conditional>& conditional, int kind,
                          std::uint32_t size);

}  // namespace aclvk::capture
