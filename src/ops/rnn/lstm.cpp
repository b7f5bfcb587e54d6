#include "ops/rnn/lstm.hpp"

#include "base/error.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/output_mask.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/rnn/lstm_parameters.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

void check_saved(const LstmParameters& lstm, const SavedParamIds& params) {
  const LstmSizes& of = lstm.sizes();
  for (const ParamId param : params) {
    lstm.tensors().check_list(param, static_cast<std::size_t>(of.lanes()), {of.steps, of.batch, of.size},
                              "steps, batch and hidden size are");
  }
}

void check_states(const LstmParameters& lstm, std::initializer_list<ParamId> params) {
  const LstmSizes& of = lstm.sizes();
  for (const ParamId param : params) {
    lstm.tensors().check_shape(param, {of.lanes(), of.batch, of.size}, "h and c of each direction of each layer are");
  }
}

std::array<bool, 4> mask_of_four(const BoolArrayArg& array) {
  if (!array) return {true, true, true, true};
  const auto values = required(bool_array_handles(), array);
  check(values->size() == 4, Code::kNnInvalid, "outputMask has {} values; expected 4.", values->size());
  return {(*values)[0] != 0, (*values)[1] != 0, (*values)[2] != 0, (*values)[3] != 0};
}

ParamId wanted_list(TensorParameters& tensors, bool wanted, const OutputListArg& arg) {
  return wanted ? tensors.output_list(arg) : tensors.no_output(arg.name);
}

/// Adds the lists in the order of the signature; SavedParamIds has the order of `Saved`.
template <typename Arg, typename Add>
SavedParamIds saved_parameters(const LstmSaved<Arg>& given, Add add) {
  const ParamId i = add(given.i);
  const ParamId g = add(given.g);
  const ParamId f = add(given.f);
  const ParamId o = add(given.o);
  const ParamId h = add(given.h);
  const ParamId c = add(given.c);
  const ParamId tanh_c = add(given.tanh_c);
  return {i, f, g, o, tanh_c, h, c};
}

}  // namespace

std::shared_ptr<Executor> plan_lstm(const LstmHandles& handles, const LstmAttributes& attributes) {
  LstmParameters lstm("aclnnLSTM", attributes);
  TensorParameters& tensors = lstm.tensors();
  lstm.add_input(handles.input);
  lstm.add_params(handles.params);
  lstm.add_hx(handles.hx);
  lstm.add_batch_sizes(handles.batch_sizes);
  const ParamId output = tensors.output(handles.output);
  const ParamId hy = tensors.output(handles.hy);
  const ParamId cy = tensors.output(handles.cy);
  const SavedParamIds saved = saved_parameters(
      handles.saved, [&](const OutputListArg& arg) { return wanted_list(tensors, attributes.train, arg); });
  lstm.check();
  const LstmSizes of = lstm.sizes();
  tensors.check_shape(output, of.shape_of(of.directions * of.size), "h of all steps and directions is");
  check_states(lstm, {hy, cy});
  check_saved(lstm, saved);
  const runtime::Execution execution = runtime::execution();
  return staged_executor("aclnnLSTM", tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    LstmResults results{*bound[output], *bound[hy], *bound[cy]};
    if (attributes.train) results.saved = saved_of(bound, saved, of.lanes());
    return lstm_kernels(lstm.lstm(bound), results, staging, execution);
  });
}

std::shared_ptr<Executor> plan_lstm_backward(const LstmBackwardHandles& handles, const LstmAttributes& attributes) {
  LstmParameters lstm("aclnnLstmBackward", attributes);
  TensorParameters& tensors = lstm.tensors();
  lstm.add_input(handles.input);
  lstm.add_hx(handles.hx);
  lstm.add_params(handles.params);
  const ParamId dy = tensors.optional_input(handles.dy);
  const ParamId dh = tensors.optional_input(handles.dh);
  const ParamId dc = tensors.optional_input(handles.dc);
  const SavedParamIds saved =
      saved_parameters(handles.saved, [&](const InputListArg& arg) { return tensors.input_list(arg); });
  lstm.add_batch_sizes(handles.batch_sizes);
  const auto [wants_dx, wants_dh, wants_dc, wants_dparams] = mask_of_four(handles.mask);
  const ParamId dx = wanted_output(tensors, wants_dx, handles.dx);
  const ParamId dh_prev = wanted_output(tensors, wants_dh, handles.dh_prev);
  const ParamId dc_prev = wanted_output(tensors, wants_dc, handles.dc_prev);
  const ParamId dparams = wanted_list(tensors, wants_dparams, handles.dparams);
  lstm.check();
  const LstmSizes of = lstm.sizes();
  tensors.check_shape(dy, of.shape_of(of.directions * of.size), "h of all steps and directions is");
  tensors.check_shape(dx, of.shape_of(of.features), "input is");
  check_states(lstm, {dh, dc, dh_prev, dc_prev});
  check_saved(lstm, saved);
  lstm.check_weights(dparams);
  const runtime::Execution execution = runtime::execution();
  return staged_executor("aclnnLstmBackward", tensors,
                         [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
                           const LstmGradient gradient{saved_of(bound, saved, of.lanes()),
                                                       bound[dy],
                                                       bound[dh],
                                                       bound[dc],
                                                       bound[dx],
                                                       bound[dh_prev],
                                                       bound[dc_prev],
                                                       lstm.weights(bound, dparams)};
                           return lstm_gradient_kernels(lstm.lstm(bound), gradient, staging, execution);
                         });
}

}  // namespace aclvk::ops
