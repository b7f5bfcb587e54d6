#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "ops/elementwise/pointwise.hpp"

namespace aclvk::ops {

/// An argument of a foreach operator. Exactly one of the three is set.
struct ListArgument {
  const char* name = "";
  bool is_list = false;
  std::vector<TensorPtr> tensors;  ///< the members of a list, or one tensor
  std::vector<ScalarPtr> scalars;  ///< one for each member, or one for all

  bool is_tensor() const { return !is_list && !tensors.empty(); }
  bool is_scalar() const { return !is_list && tensors.empty(); }
};

/// Looks up all handles. Throws 161001 for NULL and stale ones, also of members.
std::vector<ListArgument> read_lists(const PointwiseArguments& arguments);

/// Returns the number of members. Throws 161002 unless all lists, also those of scalars, have the same number, at least
/// one.
std::size_t check_lengths(const std::vector<ListArgument>& arguments);

/// Runs `check` for a member, and adds the member's index to its error.
template <typename Check>
void check_member(std::size_t index, const Check& check) {
  try {
    check();
  } catch (const Error& error) {
    throw Error(error.code(), "tensor " + std::to_string(index) + " of the lists: " + error.sentence());
  }
}

/// Views an element as a 0-d tensor.
Tensor element_of(const Tensor& tensor, std::size_t index);

/// Throws 161002 when a member reads from an argument what an earlier member writes to the executor's first output.
/// `read` returns the tensor that a member reads. With `in_order` members that update the same tensor in place are
/// fine: each reads what the earlier ones have written. Otherwise all members read before the first one writes.
void check_order(const char* name, const std::function<Tensor(std::size_t member)>& read, const char* out_name,
                 const Executor::Operands& bound, bool in_order = true);

}  // namespace aclvk::ops
