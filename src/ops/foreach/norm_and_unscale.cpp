#include <utility>

#include "base/error.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/foreach/foreach.hpp"
#include "ops/foreach/lists.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/joined_kernels.hpp"
#include "ops/kernel/workspace.hpp"
#include "ops/reduction/norm.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

/// Checks dtype and view of each member.
void check_list(const ListArgument& list, const DTypeSet& dtypes) {
  for (std::size_t i = 0; i < list.tensors.size(); ++i) {
    check_member(i, [&] { check_operand(*list.tensors[i], list.name, dtypes); });
  }
}

/// Calls make(kernels, bound, i) for each member i and collects the kernels.
template <typename Make>
Kernels of_all(std::size_t members, const Executor::Operands& bound, const Make& make) {
  Kernels kernels;
  kernels.reserve(members);
  for (std::size_t i = 0; i < members; ++i) {
    check_member(i, [&] { append(kernels, make(bound, i)); });
  }
  return kernels;
}

}  // namespace

std::shared_ptr<Executor> plan_foreach_copy(const char* name, const PointwiseArguments& arguments) {
  const std::vector<ListArgument> lists = read_lists(arguments);
  const std::size_t members = check_lengths(lists);
  const ListArgument& x = lists[0];
  const ListArgument& out = lists[1];
  check_list(x, dtypes_of(name).inputs);
  check_list(out, dtypes_of(name).outputs);
  for (std::size_t i = 0; i < members; ++i) {
    check_member(i, [&] { check_shape(*out.tensors[i], out.name, x.tensors[i]->shape, "x has shape"); });
  }
  Executor::Operands operands;
  operands.inputs.add(x.tensors);
  operands.outputs.add(out.tensors);
  const auto copy = [name, x_name = x.name, out_name = out.name](const Executor::Operands& bound, std::size_t i) {
    const Tensor& to = bound.outputs.tensor(0, i);
    const Tensor& from = bound.inputs.tensor(0, i);
    check_distinct(to, out_name);
    check_overlap(to, out_name, from, x_name);
    return copy_kernels(name, to, from);
  };
  const auto in_order = [x_name = x.name, out_name = out.name](const Executor::Operands& bound) {
    const auto read = [&](std::size_t i) { return bound.inputs.tensor(0, i); };
    check_order(x_name, read, out_name, bound);
  };
  return std::make_shared<Executor>(name, std::move(operands), [=](const Executor::Operands& bound) {
    return joined(of_all(members, bound, copy), nullptr, [&] { in_order(bound); });
  });
}

std::shared_ptr<Executor> plan_foreach_zero(const char* name, const PointwiseArguments& arguments) {
  const std::vector<ListArgument> lists = read_lists(arguments);
  const std::size_t members = check_lengths(lists);
  const ListArgument& x = lists[0];
  check_list(x, dtypes_of(name).inputs);
  Executor::Operands operands;
  operands.inputs.add(x.tensors);
  operands.outputs.add(x.tensors);
  operands.updated = {{0, 0}};
  const auto fill = [name, x_name = x.name](const Executor::Operands& bound, std::size_t i) {
    const Tensor& to = bound.outputs.tensor(0, i);
    check_distinct(to, x_name);
    return fill_kernels(name, to, Element{});
  };
  return std::make_shared<Executor>(
      name, std::move(operands), [=](const Executor::Operands& bound) { return joined(of_all(members, bound, fill)); });
}

std::shared_ptr<Executor> plan_foreach_norm(const char* name, const PointwiseArguments& arguments) {
  const std::vector<ListArgument> lists = read_lists(arguments);
  const std::size_t members = check_lengths(lists);
  const ListArgument& x = lists[0];
  const Scalar& order = *lists[1].scalars.front();
  const ListArgument& out = lists[2];
  check_list(x, dtypes_of(name).inputs);
  check_list(out, dtypes_of(name).outputs);
  check(kind_of(order.dtype()) != Kind::kComplex, Code::kNnInvalid, "{} has dtype {}; a norm's order is real.",
        lists[1].name, order.dtype());
  std::vector<Reduction> norms;
  std::vector<std::uint64_t> offsets;
  Workspace workspace;
  for (std::size_t i = 0; i < members; ++i) {
    check_member(i, [&] {
      const Tensor& self = *x.tensors[i];
      norms.push_back(norm_of_all(name, order, self, *out.tensors[i]));
      check_reduced_shape(*out.tensors[i], out.name, self, norms.back().dims, false);
      if (order.to_double() < 0) check_not_empty(self, x.name, norms.back().dims);
      offsets.push_back(workspace.allocate(reduction_workspace(norms.back(), self, 1)));
    });
  }
  Executor::Operands operands;
  operands.inputs.add(x.tensors);
  operands.outputs.add(out.tensors);
  const auto norm = [norms = std::move(norms), offsets = std::move(offsets)](const Executor::Operands& bound,
                                                                             std::size_t i) {
    return reduction_kernels(norms[i], bound.inputs.tensor(0, i), {&bound.outputs.tensor(0, i)},
                             at_offset(bound.workspace, offsets[i]));
  };
  const auto in_order = [x_name = x.name, out_name = out.name](const Executor::Operands& bound) {
    const auto read = [&](std::size_t i) { return bound.inputs.tensor(0, i); };
    check_order(x_name, read, out_name, bound);
  };
  return std::make_shared<Executor>(
      name, std::move(operands),
      [=](const Executor::Operands& bound) {
        in_order(bound);
        return of_all(members, bound, norm);
      },
      workspace.bytes());
}

std::shared_ptr<Executor> plan_foreach_unscale(const char* name, const PointwiseArguments& arguments) {
  const std::vector<ListArgument> lists = read_lists(arguments);
  const std::size_t members = check_lengths(lists);
  const ListArgument& grads = lists[0];
  check_list(grads, dtypes_of(name).inputs);
  for (const std::size_t i : {1, 2}) {
    const Tensor& scalar = *lists[i].tensors.front();
    check_operand(scalar, lists[i].name, i == 1 ? DTypeSet{DType::kFloat} : dtypes_of(name).inputs);
    check_one(scalar, lists[i].name);
  }
  Executor::Operands operands;
  operands.inputs.add(grads.tensors);
  operands.inputs.add(lists[1].tensors);
  operands.inputs.add(lists[2].tensors);
  operands.outputs.add(grads.tensors);
  operands.outputs.add(lists[1].tensors);
  // The members and the flag are inputs and outputs.
  operands.updated = {{0, 0}, {1, 1}};
  const auto unscale = [name, grads_name = grads.name, found_name = lists[1].name, scale_name = lists[2].name](
                           const Executor::Operands& bound, std::size_t i) {
    const Tensor& grad = bound.outputs.tensor(0, i);
    const Tensor found = element_of(bound.outputs.tensor(1, 0), 0);
    const Tensor inv_scale = element_of(bound.inputs.tensor(2, 0), 0);
    check_distinct(grad, grads_name);
    check_disjoint(grad, grads_name, found, found_name);
    // Each thread of each member reads the scale, so none may write it.
    check_disjoint(grad, grads_name, inv_scale, scale_name);
    check_disjoint(found, found_name, inv_scale, scale_name);
    StridedCall call;
    call.name = name;
    call.shader = "foreach/unscale_f32";
    call.promoted = DType::kFloat;
    call.operands = {{&grad, Access::kRead, false},
                     {&inv_scale, Access::kRead, false},
                     {&found, Access::kReadWrite, true},
                     {&grad, Access::kWrite, false}};
    return strided_kernels(call);
  };
  return std::make_shared<Executor>(name, std::move(operands), [=](const Executor::Operands& bound) {
    const Tensor found = element_of(bound.outputs.tensor(1, 0), 0);
    // All members write the same flag, which does not make them dependent.
    return joined(of_all(members, bound, unscale), &found);
  });
}

}  // namespace aclvk::ops
