#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/handle.hpp"
#include "runtime/stream/stream.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime {

/// An aclrtLabel: the target of jumps at run time, a position among the tasks of a stream that is bound to a model.
class Label {
 public:
  Label();
  const std::uint32_t id;
  bool set GUARDED_BY(scheduler_mutex) = false;  ///< true once set on a stream
};

/// An aclrtLabelList: the targets of a jump.
struct LabelList {
  std::vector<std::shared_ptr<Label>> labels;
};

using LabelHandles = HandleTable<Label, HandleTag::kLabel>;
using LabelListHandles = HandleTable<LabelList, HandleTag::kLabelList>;
LabelHandles& label_handles();
LabelListHandles& label_list_handles();

// The control flow of built models: labels, stream switches and activations (runtime-semantics 6, capture-semantics
// 13). They require a bound stream: kStreamModel for other streams, kStreamCaptured for captured ones.

void* create_label();
void* create_label_list(const std::vector<std::shared_ptr<Label>>& labels);
/// Throws kParamInvalid for a label that has been set already.
void set_label(const std::shared_ptr<Label>& label, Stream& stream);
/// Adds a jump to the label whose number is the 32-bit word at `index`, in device memory, when a run gets there.
void switch_label(Stream& stream, void* index, std::uint32_t count, const LabelList& list);

/// Continues with the target stream when the condition holds between two values in device memory. Throws kParamInvalid
/// for an unknown condition or type.
void switch_stream(Stream& stream, void* left, int condition, void* right, int type, const StreamPtr& target);
/// Starts the target stream as well.
void activate_stream(Stream& stream, const StreamPtr& target);

}  // namespace aclvk::runtime
