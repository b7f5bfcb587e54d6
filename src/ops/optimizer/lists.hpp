#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/inline_vector.hpp"
#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"

namespace aclvk::ops {

/// The parameters of an optimizer on tensor lists, declared once each in the order of the signature. Members with the
/// same index belong to one step. All lists are inputs of the executor; updated ones are outputs, too.
class OptimizerLists {
 public:
  enum class ParamId : std::size_t {};
  /// The lists that the kernels of a call change; the other ones are only read.
  using Written = InlineVector<ParamId, 4>;

  /// Declares a list; 161001 if it or one of its members is NULL.
  ParamId list(const TensorListArg& arg, bool written);
  /// Declares a list that may be NULL, which counts as an empty list.
  ParamId optional_list(const TensorListArg& arg, bool written);
  /// Declares a tensor that may be NULL.
  ParamId optional_scalar(const InputArg& arg);

  /// 161002 unless `list` has as many members as `variables`, floats of the same shapes.
  void check_as(ParamId variables, ParamId list) const;
  /// 161002 unless `list` has a tensor with an element for each member of `variables`.
  void check_scalars(ParamId variables, ParamId list, const DTypeSet& dtypes) const;
  /// 161002 unless the tensor, if given, is a FLOAT of one element.
  void check_scalar(ParamId scalar) const;
  /// 161002 unless the list has members and all are floats.
  void check_variables(ParamId variables) const;

  Executor::Operands operands() const;

  /// The lists with the addresses of a run.
  class BoundTensors {
   public:
    BoundTensors(const OptimizerLists& lists, const Executor::Operands& operands)
        : lists_(lists), operands_(operands) {}

    /// The number of members of the first list.
    std::size_t members() const { return lists_.parameters_.front().tensors.size(); }
    const Tensor* operator()(ParamId param, std::size_t member) const;
    /// The first element of an optional tensor; nullopt if it was NULL.
    std::optional<Tensor> element(ParamId param) const;
    /// 161002 if a written tensor overlaps itself, shares elements with another written tensor of its step or with a
    /// scalar, or partially overlaps a tensor that is read with it.
    void check_memory(const Written& written) const;
    /// 161002 if a step uses what the step of an earlier member has written to another list. A list may have a tensor
    /// twice, which takes both steps. Quadratic in the members, so called for members that depend on each other.
    void check_order(const Written& written) const;

   private:
    void check_pair(ParamId written, ParamId other, std::size_t member, bool other_written) const;
    void check_order_of(ParamId written, ParamId other, std::size_t member) const;

    const OptimizerLists& lists_;
    const Executor::Operands& operands_;
  };

 private:
  struct Parameter {
    const char* name;
    std::vector<Tensor> tensors;
    bool written;
    std::size_t slot;     ///< index among the outputs if `written`, else among the inputs
    bool of_all = false;  ///< true for a tensor that all members read
  };

  ParamId add(const char* name, std::vector<Tensor> tensors, bool written);
  const Parameter& at(ParamId param) const { return parameters_[static_cast<std::size_t>(param)]; }

  std::vector<Parameter> parameters_;
  std::size_t outputs_ = 0;
};

}  // namespace aclvk::ops
