#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"
#include "ops/executor/operator_dtypes.hpp"

namespace aclvk::ops {

/// The tensor parameters of an operator. A plan function declares each one, in the order of the signature, which looks
/// up its handle and returns a ParamId. Then it checks them together, passes them to the executor, and finds the
/// tensors of a run by ParamId (BoundTensors). A parameter that is updated in place is an input and an output of the
/// same name.
class TensorParameters {
 public:
  /// Identifies a parameter. kNone: the operator has no such parameter, unlike others of its family.
  enum class ParamId : std::size_t { kNone = SIZE_MAX };

  // Required parameters throw 161001 for NULL. An optional parameter may be NULL, or lack a name where the operator has
  // no such parameter; has() is false for it then.

  ParamId input(const InputArg& arg);
  ParamId optional_input(const InputArg& arg);
  ParamId output(const OutputArg& arg);
  ParamId optional_output(const OutputArg& arg);
  /// A parameter that is read and written in place. Returns the id of the output.
  ParamId updated(const UpdatedArg& arg);
  ParamId optional_updated(const UpdatedArg& arg);
  /// A list of at least one tensor.
  ParamId input_list(const InputListArg& arg);
  ParamId output_list(const OutputListArg& arg);
  /// Parameters that this call ignores, as if they were NULL.
  ParamId no_input(const char* name) { return add(TensorPtr(), name, false); }
  ParamId no_output(const char* name) { return add(TensorPtr(), name, true); }
  /// Inputs that check_unsupported() refuses. They keep their slots among the executor's inputs.
  void unsupported(const std::vector<InputArg>& inputs);

  bool has(ParamId id) const { return id != ParamId::kNone && !at(id).members.empty(); }
  /// The tensor, or the first one of a list. Requires has(id).
  const Tensor& operator[](ParamId id) const { return at(id).members.front(); }
  /// The tensors of a list.
  const std::vector<Tensor>& list(ParamId id) const { return at(id).members; }
  const char* name(ParamId id) const { return at(id).name; }
  /// Calls visit(id, tensor) for each tensor, including each member of a list.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      for (const Tensor& member : parameters_[i].members) visit(static_cast<ParamId>(i), member);
    }
  }

  /// Checks the dtypes of all tensors, then their views (check_view). All checks throw 161002.
  void check_all(const DTypeSet& supported) const;
  void check_dtypes(const OperatorDtypes& supported) const;
  /// Checks the dtypes of some tensors. Ignores missing parameters.
  void check_dtypes(std::initializer_list<ParamId> ids, const DTypeSet& supported) const;
  void check_views() const;
  /// Checks the shape of a tensor. Does nothing unless has(id).
  void check_shape(ParamId id, const Shape& expected, const char* reason) const;
  /// Checks the number and the shape of a list's members. Does nothing unless has(id).
  void check_list(ParamId id, std::size_t count, const Shape& expected, const char* reason) const;

  Executor::Operands operands() const;

  /// The tensors with the addresses of a run. Refers to its arguments.
  class BoundTensors {
   public:
    BoundTensors(const TensorParameters& parameters, const Executor::Operands& operands)
        : parameters_(parameters), operands_(operands) {}

    /// Returns the tensor, or the first one of a list; null unless has(id).
    const Tensor* operator[](ParamId id) const;
    const Tensor& of_list(ParamId id, std::size_t member) const;
    /// Throws 161002 when an output's elements overlap each other, or those of an input that is not the same view.
    void check_memory() const;
    /// Throws 161002 when one of the outputs shares memory with one of the inputs. For kernels that write outputs while
    /// others still read inputs. Ignores missing parameters.
    void check_disjoint(std::initializer_list<ParamId> outputs, std::initializer_list<ParamId> inputs) const;

   private:
    const TensorParameters& parameters_;
    const Executor::Operands& operands_;
  };

 private:
  struct Parameter {
    std::vector<Tensor> members;  ///< empty when the caller passed NULL
    const char* name;
    bool written;
    std::size_t slot;  ///< among the executor's inputs or outputs
  };

  ParamId add(const TensorPtr& tensor, const char* name, bool written);
  ParamId add(std::vector<Tensor> members, const char* name, bool written);
  const Parameter& at(ParamId id) const { return parameters_[static_cast<std::size_t>(id)]; }

  std::vector<Parameter> parameters_;
  std::size_t inputs_ = 0;
  std::size_t outputs_ = 0;
};

}  // namespace aclvk::ops
