#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ops/executor.hpp"
#include "ops/operator.hpp"

namespace aclvk::ops {

/// A number as a word of an argument block.
std::uint32_t float_word(double value);

/// The parameters of an optimizer on lists, each said once, in the order of the signature: the members of number i of
/// all lists belong together. All lists are inputs of the executor; those that are written are outputs, too.
class OptimizerLists {
 public:
  enum class ParamId : std::size_t {};

  /// A list that may not be NULL (161001), nor its members.
  ParamId list(const void* handle, const char* name, bool written);
  /// The same, but NULL is a list of no members.
  ParamId optional_list(const void* handle, const char* name, bool written);
  /// A tensor, or NULL.
  ParamId optional_scalar(const void* handle, const char* name);

  /// 161002 unless the lists have equally many members, floats of the same shapes.
  void check_as(ParamId variables, ParamId list) const;
  /// 161002 unless each member of `variables` has one, of one element.
  void check_scalars(ParamId variables, ParamId list, const DTypeSet& dtypes) const;
  /// 161002 unless an optional tensor has one element, a FLOAT.
  void check_scalar(ParamId scalar) const;
  /// 161002 unless there is one member at least, and all are floats.
  void check_variables(ParamId variables) const;

  Executor::Operands operands() const;

  /// The tensors with the addresses of a run.
  class BoundTensors {
   public:
    BoundTensors(const OptimizerLists& lists, const Executor::Operands& operands)
        : lists_(lists), operands_(operands) {}

    /// Of the first list.
    std::size_t members() const { return lists_.parameters_.front().tensors.size(); }
    const Tensor* operator()(ParamId place, std::size_t member) const;
    /// The element of a tensor; nothing for one that was left out.
    std::optional<Tensor> element(ParamId place) const;
    /// What is written has no element twice, and is not what else is read (161002).
    void check_memory() const;

   private:
    const OptimizerLists& lists_;
    const Executor::Operands& operands_;
  };

 private:
  struct Parameter {
    const char* name;
    std::vector<Tensor> tensors;
    bool written;
    std::size_t slot;  ///< among the outputs where it is written, else among the inputs
  };

  ParamId add(const char* name, std::vector<Tensor> tensors, bool written);
  const Parameter& at(ParamId place) const { return parameters_[static_cast<std::size_t>(place)]; }

  std::vector<Parameter> parameters_;
  std::size_t outputs_ = 0;
};

}  // namespace aclvk::ops
