// The operators of this folder.
#include <memory>

#include "ops/args/random.hpp"
#include "ops/random/choose.hpp"
#include "ops/random/draw.hpp"
#include "ops/random/dropout.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan(const InplaceUniformArgs& args) {
  return plan_uniform(args.kOperator, args.selfRef.written(), args.from, args.to, given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const InplaceUniformTensorArgs& args) {
  return plan_uniform(args.kOperator, args.selfRef.written(), args.from, args.to,
                      source_in_memory(args.seedTensor, args.offsetTensor, args.offset));
}
std::shared_ptr<Executor> plan(const InplaceNormalArgs& args) {
  return plan_normal({args.kOperator, true, args.selfRef.written(), args.mean, args.std},
                     given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const InplaceNormalTensorArgs& args) {
  return plan_normal({args.kOperator, true, args.selfRef.written(), args.mean, args.std},
                     source_in_memory(args.seedTensor, args.offsetTensor, args.offset));
}
std::shared_ptr<Executor> plan(const NormalFloatFloatArgs& args) {
  return plan_normal({args.kOperator, false, args.out, args.mean, args.std}, given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const NormalFloatTensorArgs& args) {
  return plan_normal({args.kOperator, false, args.out, args.mean, 0, false, true, {}, args.std},
                     given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const NormalTensorFloatArgs& args) {
  return plan_normal({args.kOperator, false, args.out, 0, args.std, true, false, args.mean, {}},
                     given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const NormalTensorTensorArgs& args) {
  return plan_normal({args.kOperator, false, args.out, 0, 0, true, true, args.mean, args.std},
                     given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const BernoulliArgs& args) {
  return plan_bernoulli({args.kOperator, false, args.self, {}, args.prob, args.out},
                        given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const BernoulliTensorArgs& args) {
  return plan_bernoulli({args.kOperator, false, args.self, args.prob, {}, args.out},
                        given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const InplaceBernoulliArgs& args) {
  return plan_bernoulli({args.kOperator, true, {}, {}, args.prob, args.selfRef.written()},
                        given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const InplaceBernoulliTensorArgs& args) {
  return plan_bernoulli({args.kOperator, true, {}, args.prob, {}, args.selfRef.written()},
                        given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const InplaceRandomArgs& args) {
  return plan_random(args.kOperator, args.selfRef.written(), args.from, args.to, given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const InplaceRandomTensorArgs& args) {
  return plan_random(args.kOperator, args.selfRef.written(), args.from, args.to,
                     source_in_memory(args.seedTensor, args.offsetTensor, args.offset));
}
std::shared_ptr<Executor> plan(const InplaceRandomWithoutFromToArgs& args) {
  return plan_random_full(args.kOperator, args.selfRef.written(), given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const InplaceRandomWithoutFromToTensorArgs& args) {
  return plan_random_full(args.kOperator, args.selfRef.written(),
                          source_in_memory(args.seedTensor, args.offsetTensor, args.offset));
}
std::shared_ptr<Executor> plan(const SimThreadExponentialArgs& args) {
  return plan_exponential(args.selfRef.written(), args.count, args.lambda, given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const RReluWithNoiseArgs& args) {
  return plan_rrelu({args.kOperator, args.self, args.noise, args.lower, args.upper, args.training, false, args.out},
                    given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const InplaceRReluWithNoiseArgs& args) {
  return plan_rrelu(
      {args.kOperator, args.self.read(), args.noise, args.lower, args.upper, args.training, true, args.self.written()},
      given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const DropoutArgs& args) {
  return plan_dropout({args.kOperator, args.input, false, {}, args.p, args.train, args.out, args.maskOut},
                      given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const DropoutV3Args& args) {
  return plan_dropout({args.kOperator, args.input, true, args.optionalNoiseShape, args.p, true, args.out, args.maskOut},
                      given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const DropoutGenMaskArgs& args) {
  return plan_gen_mask({args.kOperator, args.shape, args.prob, false, 0, args.out},
                       given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const DropoutGenMaskV2Args& args) {
  return plan_gen_mask(
      {args.kOperator, args.shape, args.prob, true, static_cast<int>(args.probDataType.value), args.out},
      given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const DropoutGenMaskV2TensorArgs& args) {
  return plan_gen_mask(
      {args.kOperator, args.shape, args.prob, true, static_cast<int>(args.probDataType.value), args.out},
      source_in_memory(args.seedTensor, args.offsetTensor, args.offset));
}
std::shared_ptr<Executor> plan(const DropoutDoMaskArgs& args) {
  return plan_do_mask_for({args.kOperator, args.self, args.mask, args.out}, args.prob);
}
std::shared_ptr<Executor> plan(const DropoutBackwardArgs& args) {
  return plan_do_mask({args.kOperator, args.gradOutput, args.mask, args.out}, args.scale);
}
std::shared_ptr<Executor> plan(const DropoutV3GradArgs& args) {
  return plan_do_mask({args.kOperator, args.gradY, args.mask, args.gradX}, args.scale);
}
std::shared_ptr<Executor> plan(const RandpermArgs& args) {
  return plan_permutation(args.n, args.out, given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const MultinomialArgs& args) {
  return plan_multinomial(args.kOperator, args.self, args.numsamples, args.replacement, args.out,
                          given_source(args.seed, args.offset));
}
std::shared_ptr<Executor> plan(const MultinomialTensorArgs& args) {
  return plan_multinomial(args.kOperator, args.self, args.numsamples, args.replacement, args.out,
                          source_in_memory(args.seedTensor, args.offsetTensor, args.offset));
}

}  // namespace aclvk::ops
