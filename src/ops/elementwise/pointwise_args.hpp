#pragma once

#include <memory>

#include "ops/elementwise/tables.hpp"
#include "ops/executor/args.hpp"

namespace aclvk::ops {

// The arguments of an operator (ops/args) as a list, for the tables of pointwise operators.

inline PointwiseArgument pointwise_argument(const TensorArg& arg) {
  return {arg.name, PointwiseArgument::Kind::kTensor, arg.handle, 0};
}
/// An optional scalar that is NULL stands for 1.
inline PointwiseArgument pointwise_argument(const ScalarArg& arg) {
  return {arg.name, PointwiseArgument::Kind::kScalar, arg.handle, 1};
}
inline PointwiseArgument pointwise_argument(const TensorListArg& arg) {
  return {arg.name, PointwiseArgument::Kind::kTensors, arg.handle, 0};
}
inline PointwiseArgument pointwise_argument(const ScalarListArg& arg) {
  return {arg.name, PointwiseArgument::Kind::kScalars, arg.handle, 0};
}
template <typename Value>
PointwiseArgument pointwise_argument(const ValueArg<Value>& arg) {
  return {arg.name, PointwiseArgument::Kind::kNumber, nullptr, static_cast<double>(arg.value)};
}

/// All arguments of an operator, in the order of its parameters.
template <typename Args>
PointwiseArguments arguments_of(const Args& args) {
  PointwiseArguments list;
  args.for_each([&](const auto& arg) { list.push_back(pointwise_argument(arg)); });
  return list;
}

/// Some of an operator's arguments.
template <typename... Arg>
PointwiseArguments list_of(const Arg&... args) {
  return {pointwise_argument(args)...};
}

/// Plans an operator that is a row of a table.
template <typename Op, typename Args>
std::shared_ptr<Executor> plan_row(Op op, const Args& args) {
  return plan_pointwise(Args::kOperator, op, arguments_of(args));
}

/// Plans an operator with a function that takes its name and the list of its arguments.
template <typename Args>
std::shared_ptr<Executor> plan_with(std::shared_ptr<Executor> (*planner)(const char*, const PointwiseArguments&),
                                    const Args& args) {
  return planner(Args::kOperator, arguments_of(args));
}

}  // namespace aclvk::ops
