#include "api/aclnn/operator.hpp"
#include "ops/random/choose.hpp"
#include "ops/random/draw.hpp"
#include "ops/random/dropout.hpp"

using namespace aclvk::ops;

// Seed and offset are numbers, or (in the operators named "Tensor") tensors that the kernel reads.
#define NAMED given_source(seed, offset)
#define IN_MEMORY source_in_memory(seedTensor, offsetTensor, offset)

extern "C" {

OPERATOR(aclnnInplaceUniform, plan_uniform("aclnnInplaceUniform", selfRef, from, to, NAMED))
OPERATOR(aclnnInplaceUniformTensor, plan_uniform("aclnnInplaceUniformTensor", selfRef, from, to, IN_MEMORY))

OPERATOR(aclnnInplaceNormal, plan_normal({"aclnnInplaceNormal", true, selfRef, mean, std}, NAMED))
OPERATOR(aclnnInplaceNormalTensor, plan_normal({"aclnnInplaceNormalTensor", true, selfRef, mean, std}, IN_MEMORY))
OPERATOR(aclnnNormalFloatFloat, plan_normal({"aclnnNormalFloatFloat", false, out, mean, std}, NAMED))
OPERATOR(aclnnNormalFloatTensor,
         plan_normal({"aclnnNormalFloatTensor", false, out, mean, 0, false, true, nullptr, std}, NAMED))
OPERATOR(aclnnNormalTensorFloat,
         plan_normal({"aclnnNormalTensorFloat", false, out, 0, std, true, false, mean, nullptr}, NAMED))
OPERATOR(aclnnNormalTensorTensor,
         plan_normal({"aclnnNormalTensorTensor", false, out, 0, 0, true, true, mean, std}, NAMED))

OPERATOR(aclnnBernoulli, plan_bernoulli({"aclnnBernoulli", false, self, false, prob, out}, NAMED))
OPERATOR(aclnnBernoulliTensor, plan_bernoulli({"aclnnBernoulliTensor", false, self, true, prob, out}, NAMED))
OPERATOR(aclnnInplaceBernoulli, plan_bernoulli({"aclnnInplaceBernoulli", true, nullptr, false, prob, selfRef}, NAMED))
OPERATOR(aclnnInplaceBernoulliTensor,
         plan_bernoulli({"aclnnInplaceBernoulliTensor", true, nullptr, true, prob, selfRef}, NAMED))

OPERATOR(aclnnInplaceRandom, plan_random("aclnnInplaceRandom", selfRef, from, to, NAMED))
OPERATOR(aclnnInplaceRandomTensor, plan_random("aclnnInplaceRandomTensor", selfRef, from, to, IN_MEMORY))
OPERATOR(aclnnInplaceRandomWithoutFromTo, plan_random_full("aclnnInplaceRandomWithoutFromTo", selfRef, NAMED))
OPERATOR(aclnnInplaceRandomWithoutFromToTensor,
         plan_random_full("aclnnInplaceRandomWithoutFromToTensor", selfRef, IN_MEMORY))

OPERATOR(aclnnSimThreadExponential, plan_exponential(selfRef, count, lambda, NAMED))

OPERATOR(aclnnRReluWithNoise,
         plan_rrelu({"aclnnRReluWithNoise", self, noise, lower, upper, training, false, out}, NAMED))
OPERATOR(aclnnInplaceRReluWithNoise,
         plan_rrelu({"aclnnInplaceRReluWithNoise", self, noise, lower, upper, training, true, nullptr}, NAMED))

OPERATOR(aclnnDropout, plan_dropout({"aclnnDropout", input, false, nullptr, p, train, out, maskOut}, NAMED))
OPERATOR(aclnnDropoutV3,
         plan_dropout({"aclnnDropoutV3", input, true, optionalNoiseShape, p, true, out, maskOut}, NAMED))
OPERATOR(aclnnDropoutGenMask, plan_gen_mask({"aclnnDropoutGenMask", shape, prob, false, 0, out}, NAMED))
OPERATOR(aclnnDropoutGenMaskV2, plan_gen_mask({"aclnnDropoutGenMaskV2", shape, prob, true, probDataType, out}, NAMED))
OPERATOR(aclnnDropoutGenMaskV2Tensor,
         plan_gen_mask({"aclnnDropoutGenMaskV2Tensor", shape, prob, true, probDataType, out}, IN_MEMORY))
OPERATOR(aclnnDropoutDoMask, plan_do_mask_for({"aclnnDropoutDoMask", self, "self", mask, out, "out"}, prob))
OPERATOR(aclnnDropoutBackward,
         plan_do_mask({"aclnnDropoutBackward", gradOutput, "gradOutput", mask, out, "out"}, scale))
OPERATOR(aclnnDropoutV3Grad, plan_do_mask({"aclnnDropoutV3Grad", gradY, "gradY", mask, gradX, "gradX"}, scale))

OPERATOR(aclnnRandperm, plan_permutation(n, out, NAMED))
OPERATOR(aclnnMultinomial, plan_multinomial("aclnnMultinomial", self, numsamples, replacement, out, NAMED))
OPERATOR(aclnnMultinomialTensor,
         plan_multinomial("aclnnMultinomialTensor", self, numsamples, replacement, out, IN_MEMORY))

}  // extern "C"
