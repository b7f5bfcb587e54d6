#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "ops/elementwise/pointwise.hpp"

namespace aclvk::ops {

/// An argument of a foreach operator, its handles looked up. One of the three has something in it.
struct ListArgument {
  const char* name = "";
  bool is_list = false;
  std::vector<TensorPtr> tensors;  ///< a list's members, or one tensor
  std::vector<ScalarPtr> scalars;  ///< one a member, or one for all

  bool is_tensor() const { return !is_list && !tensors.empty(); }
  bool is_scalar() const { return !is_list && tensors.empty(); }
};

/// Looks all handles up: 161001 for those that are NULL or not alive, members of lists as well.
std::vector<ListArgument> read_lists(const PointwiseArguments& arguments);

/// How many members the lists have: 161002 unless all have equally many, one at least. A list of scalars has as many.
std::size_t check_lengths(const std::vector<ListArgument>& arguments);

/// Runs `check` for a member; what it refuses names the member.
template <typename Check>
void check_member(std::size_t index, const Check& check) {
  try {
    check();
  } catch (const Error& error) {
    throw Error(error.code(), "tensor " + std::to_string(index) + " of the lists: " + error.sentence());
  }
}

/// An element of a tensor, as a scalar tensor.
Tensor element_of(const Tensor& tensor, std::size_t index);

/// Checks an argument: 161002 where a member reads of it what one before it writes, to the executor's first output. (Of
/// what members update in place each one finds what those before it have left.) `read` is what a member reads.
void check_order(const char* name, const std::function<Tensor(std::size_t member)>& read, const char* out_name,
                 const Executor::Operands& bound);

/// Adds an argument's tensors, as a parameter of the executor.
void add_slot(TensorSlots& slots, const ListArgument& argument);

}  // namespace aclvk::ops
