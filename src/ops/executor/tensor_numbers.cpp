#include "ops/executor/tensor_numbers.hpp"

#include <algorithm>
#include <string_view>

#include "ops/executor/handles.hpp"

namespace aclvk::ops {
namespace {

using Parameter = TensorNumbers::Parameter;
using Updates = InlineVector<UpdatedSlots, 4>;

constexpr std::int32_t kNone = TensorNumbers::kNone;

/// The naming convention of aclnn for parameters that are updated in place, which some headers declare const.
bool is_reference(std::string_view name) { return name.size() > 3 && name.substr(name.size() - 3) == "Ref"; }

/// The naming convention for outputs. Some headers declare outputs const, so only the name identifies an output that is
/// NULL.
bool is_result(std::string_view name) { return name.size() > 3 && name.substr(name.size() - 3) == "Out"; }

/// The slots that no parameter has been matched to yet.
// A program may pass one tensor to several parameters; each takes the first slot of that tensor that is still
// free.
class UnmatchedSlots {
 public:
  explicit UnmatchedSlots(const TensorSlots& slots) : slots_(slots), taken_(slots.size(), false) {}

  std::int32_t take(const Parameter& parameter) {
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      if (taken_[slot] || slots_.count(slot) == 0 || slots_.tensor(slot, 0).handle != parameter.first) continue;
      return take(slot);
    }
    return kNone;
  }
  std::int32_t take(std::size_t slot) {
    taken_[slot] = true;
    return static_cast<std::int32_t>(slot);
  }

 private:
  const TensorSlots& slots_;
  InlineVector<bool, 32> taken_;
};

const UpdatedSlots* update_of(const Updates& updated, std::size_t UpdatedSlots::*side, std::int32_t slot) {
  for (const UpdatedSlots& both : updated) {
    if (static_cast<std::int32_t>(both.*side) == slot) return &both;
  }
  return nullptr;
}

void match_written(Parameter& parameter, UnmatchedSlots& inputs, UnmatchedSlots& outputs, const Updates& updated) {
  parameter.output = outputs.take(parameter);
  if (const auto* both = update_of(updated, &UpdatedSlots::output, parameter.output)) {
    parameter.input = inputs.take(both->input);
  } else if (parameter.is_updated || parameter.output == kNone) {
    parameter.input = inputs.take(parameter);
  }
}

// Some headers declare outputs const, so a const parameter may match an output slot.
void match_read(Parameter& parameter, UnmatchedSlots& inputs, UnmatchedSlots& outputs, const Updates& updated) {
  parameter.input = inputs.take(parameter);
  if (const auto* both = update_of(updated, &UpdatedSlots::input, parameter.input)) {
    parameter.output = outputs.take(both->output);
  } else if (parameter.input == kNone) {
    parameter.output = outputs.take(parameter);
  }
}

}  // namespace

void TensorNumbers::add_tensor(const char* name, const void* handle, bool is_const) {
  const bool reads = is_const && (handle || !is_result(name));
  parameters_.push_back({name, handle, handle ? std::size_t{1} : 0, reads, is_reference(name)});
}

void TensorNumbers::add_list(const char* name, const void* handle, bool is_const) {
  Parameter parameter{name, nullptr, 0, is_const, is_reference(name)};
  if (const auto list = tensor_list_handles().find(handle)) {
    parameter.members = list->members.size();
    // Ends with the first member that is not NULL.
    for (auto member = list->members.rbegin(); member != list->members.rend(); ++member) {
      if (*member) parameter.first = *member;
    }
  }
  parameters_.push_back(parameter);
}

void TensorNumbers::match(const TensorSlots& inputs, const TensorSlots& outputs, const Updates& updated) {
  UnmatchedSlots read(inputs);
  UnmatchedSlots written(outputs);
  for (Parameter& parameter : parameters_) {
    if (!parameter.first) continue;
    const bool writes = !parameter.is_const || parameter.is_updated;
    (writes ? match_written : match_read)(parameter, read, written, updated);
    parameter.is_updated = parameter.is_updated || (parameter.input != kNone && parameter.output != kNone);
  }
}

TensorNumbers::Counted TensorNumbers::counted(Count count) const {
  Counted counted;
  for (const Parameter& parameter : parameters_) {
    const bool counts = count == Count::kAll      ? true
                        : count == Count::kInputs ? parameter.counts_as_input()
                                                  : parameter.counts_as_output();
    if (counts) counted.push_back(&parameter);
  }
  for (const Parameter& parameter : parameters_) {
    // Parameters that are updated in place count twice: as inputs in their position, and as outputs after all
    // others.
    if (count == Count::kAll && parameter.is_updated) counted.push_back(&parameter);
  }
  return counted;
}

const TensorNumbers::Parameter* TensorNumbers::parameter(Count count, std::size_t number) const {
  const Counted all = counted(count);
  return number < all.size() ? all[number] : nullptr;
}

TensorNumbers::Member TensorNumbers::member(Count count, std::size_t number) const {
  for (const Parameter* parameter : counted(count)) {
    const std::size_t members = std::max<std::size_t>(parameter->members, 1);
    if (number < members) return {parameter, number};
    number -= members;
  }
  return {nullptr, 0};
}

const char* TensorNumbers::name_of_slot(bool written, std::size_t slot) const {
  for (const Parameter& parameter : parameters_) {
    if ((written ? parameter.output : parameter.input) == static_cast<std::int32_t>(slot)) return parameter.name;
  }
  return "a tensor";
}

}  // namespace aclvk::ops
