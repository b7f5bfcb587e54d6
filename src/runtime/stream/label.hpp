#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/handle.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

/// An aclrtLabel: a place among the tasks of a stream that is bound to a model, for jumps at run time.
class Label {
 public:
  Label();
  const std::uint32_t id;
  bool set = false;  ///< a stream has it; needs the scheduler's lock
};

/// An aclrtLabelList: what a jump chooses from.
struct LabelList {
  std::vector<std::shared_ptr<Label>> labels;
};

using LabelHandles = HandleTable<Label, HandleTag::kLabel>;
using LabelListHandles = HandleTable<LabelList, HandleTag::kLabelList>;
LabelHandles& label_handles();
LabelListHandles& label_list_handles();

// The label functions and what else directs the control flow of built models (runtime-semantics 6, capture-semantics
// 13). Streams must be bound: kStreamModel for others, kStreamCaptured for captured ones.

void* create_label();
void* create_label_list(const std::vector<std::shared_ptr<Label>>& labels);
/// A label has one place: kParamInvalid for a second.
void set_label(const std::shared_ptr<Label>& label, Stream& stream);
/// The stream goes on at the label whose number (32 bits) is found at `index`, which lies in device memory.
void switch_label(Stream& stream, void* index, std::uint32_t count, const LabelList& list);

/// Both values lie in device memory. Throws kParamInvalid for an unknown condition or type.
void switch_stream(Stream& stream, void* left, int condition, void* right, int type, const StreamPtr& target);
void activate_stream(Stream& stream, const StreamPtr& target);

}  // namespace aclvk::runtime
