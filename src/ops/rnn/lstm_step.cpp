#include "ops/rnn/lstm_step.hpp"

#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "rnn/lstm_step.args.h"
#include "rnn/lstm_step_gradient.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(LstmStepArguments, LSTM_STEP_ARGUMENTS);
CONSTANT_STRUCT(LstmStepConstants, LSTM_STEP_CONSTANTS);
ARGUMENT_STRUCT(LstmStepGradientArguments, LSTM_STEP_GRADIENT_ARGUMENTS);
CONSTANT_STRUCT(LstmStepGradientConstants, LSTM_STEP_GRADIENT_CONSTANTS);

/// One thread an element of h.
std::uint64_t threads_of(const Tensor& states) { return static_cast<std::uint64_t>(states.elements()) / 2; }

}  // namespace

runtime::Kernel lstm_step_kernel(const LstmStep& step) {
  KernelBuilder kernel(step.name, "rnn/lstm_step_f32");
  LstmStepConstants constants;
  constants.kPacked = step.rows != nullptr;
  constants.kSaves = step.saved != nullptr;
  kernel.add_constants(constants);
  if (step.after.empty()) return kernel.build();
  // Absent operands are not accessed, but a kernel needs a valid address for each.
  const Tensor& rows = step.rows ? *step.rows : step.before;
  const Tensor& saved = step.saved ? *step.saved : step.before;
  kernel.add_operand(operand_of(step.name, step.preactivations, Access::kRead));
  kernel.add_operand(operand_of(step.name, step.before, Access::kRead));
  kernel.add_operand(operand_of(step.name, rows, Access::kRead));
  kernel.add_operand(operand_of(step.name, step.after, Access::kWrite));
  kernel.add_operand(operand_of(step.name, saved, step.saved ? Access::kWrite : Access::kRead));
  LstmStepArguments arguments;
  arguments.batch = word(step.after.shape[0]);
  arguments.size = word(step.after.shape[1] / 2);
  kernel.add_arguments(arguments);
  kernel.set_threads(threads_of(step.after));
  return kernel.build();
}

runtime::Kernel lstm_step_gradient_kernel(const LstmStepGradient& step) {
  KernelBuilder kernel(step.name, "rnn/lstm_step_gradient_f32");
  LstmStepGradientConstants constants;
  constants.kPacked = step.rows != nullptr;
  kernel.add_constants(constants);
  if (step.after.empty()) return kernel.build();
  const Tensor& rows = step.rows ? *step.rows : step.c;
  for (const Tensor* tensor : {&step.saved, &step.c, &step.y, &step.after, &rows}) {
    kernel.add_operand(operand_of(step.name, *tensor, Access::kRead));
  }
  kernel.add_operand(operand_of(step.name, step.preactivations, Access::kWrite));
  kernel.add_operand(operand_of(step.name, step.before, Access::kWrite));
  LstmStepGradientArguments arguments;
  arguments.batch = word(step.after.shape[0]);
  arguments.size = word(step.after.shape[1] / 2);
  arguments.y_step = word(step.y.strides[0]);
  kernel.add_arguments(arguments);
  kernel.set_threads(threads_of(step.after));
  return kernel.build();
}

}  // namespace aclvk::ops
