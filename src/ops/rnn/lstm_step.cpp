#include "ops/rnn/lstm_step.hpp"

#include "ops/kernel/grid.hpp"
#include "ops/kernel/operand.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

/// One thread an element of h.
std::array<std::uint32_t, 3> groups_of(const Tensor& states) {
  return row_of_groups(static_cast<std::uint64_t>(states.elements()) / 2);
}

}  // namespace

runtime::Kernel lstm_step_kernel(const LstmStep& step) {
  struct Arguments {
    std::uint32_t batch;
    std::uint32_t size;
  };
  runtime::Kernel kernel;
  kernel.name = step.name;
  kernel.shader = "rnn/lstm_step_f32";
  kernel.constants = {static_cast<std::uint32_t>(step.rows != nullptr),
                      static_cast<std::uint32_t>(step.saved != nullptr)};
  if (step.after.empty()) return kernel;
  // Absent operands are not accessed, but a kernel needs a valid address for each.
  const Tensor& rows = step.rows ? *step.rows : step.before;
  const Tensor& saved = step.saved ? *step.saved : step.before;
  kernel.operands = {operand_of(step.name, step.preactivations, Access::kRead),
                     operand_of(step.name, step.before, Access::kRead), operand_of(step.name, rows, Access::kRead),
                     operand_of(step.name, step.after, Access::kWrite),
                     operand_of(step.name, saved, step.saved ? Access::kWrite : Access::kRead)};
  kernel.arguments = runtime::argument_bytes(Arguments{word(step.after.shape[0]), word(step.after.shape[1] / 2)});
  kernel.groups = groups_of(step.after);
  return kernel;
}

runtime::Kernel lstm_step_gradient_kernel(const LstmStepGradient& step) {
  struct Arguments {
    std::uint32_t batch;
    std::uint32_t size;
    std::uint32_t y_step;
  };
  runtime::Kernel kernel;
  kernel.name = step.name;
  kernel.shader = "rnn/lstm_step_gradient_f32";
  kernel.constants = {static_cast<std::uint32_t>(step.rows != nullptr)};
  if (step.after.empty()) return kernel;
  const Tensor& rows = step.rows ? *step.rows : step.c;
  kernel.operands = {
      operand_of(step.name, step.saved, Access::kRead),  operand_of(step.name, step.c, Access::kRead),
      operand_of(step.name, step.y, Access::kRead),      operand_of(step.name, step.after, Access::kRead),
      operand_of(step.name, rows, Access::kRead),        operand_of(step.name, step.preactivations, Access::kWrite),
      operand_of(step.name, step.before, Access::kWrite)};
  kernel.arguments = runtime::argument_bytes(
      Arguments{word(step.after.shape[0]), word(step.after.shape[1] / 2), word(step.y.strides[0])});
  kernel.groups = groups_of(step.after);
  return kernel;
}

}  // namespace aclvk::ops
