#include "api/aclnn_phases.hpp"
#include "ops/random/choose.hpp"
#include "ops/random/draw.hpp"
#include "ops/random/dropout.hpp"

// The public prototypes: a definition below that differs does not compile.
#include "aclnnop_all.h"

using namespace aclvk::ops;

// clang-format off
#define IN(name) (const aclTensor*, name)
#define OUT(name) (aclTensor*, name)
#define REF (const aclTensor*, selfRef)
#define SCALAR(name) (const aclScalar*, name)

// Seed and offset as numbers, or in memory.
#define SEED (int64_t, seed)(int64_t, offset)
#define GIVEN given_source(seed, offset)
#define SEED_TENSORS IN(seedTensor) IN(offsetTensor)(int64_t, offset)
#define IN_MEMORY source_in_memory(seedTensor, offsetTensor, offset)

extern "C" {

PLAN(aclnnInplaceUniform, plan_uniform("aclnnInplaceUniform", selfRef, from, to, GIVEN),
     REF (double, from)(double, to)(uint64_t, seed)(uint64_t, offset))
PLAN(aclnnInplaceUniformTensor, plan_uniform("aclnnInplaceUniformTensor", selfRef, from, to, IN_MEMORY),
     REF (double, from)(double, to) IN(seedTensor) IN(offsetTensor)(uint64_t, offset))

PLAN(aclnnInplaceNormal, plan_normal({"aclnnInplaceNormal", true, selfRef, mean, std}, GIVEN),
     REF (float, mean)(float, std) SEED)
PLAN(aclnnInplaceNormalTensor, plan_normal({"aclnnInplaceNormalTensor", true, selfRef, mean, std}, IN_MEMORY),
     REF (float, mean)(float, std) SEED_TENSORS)
PLAN(aclnnNormalFloatFloat, plan_normal({"aclnnNormalFloatFloat", false, out, mean, std}, GIVEN),
     (float, mean)(float, std) SEED OUT(out))
PLAN(aclnnNormalFloatTensor,
     plan_normal({"aclnnNormalFloatTensor", false, out, mean, 0, false, true, nullptr, std}, GIVEN),
     (float, mean) IN(std) SEED OUT(out))
PLAN(aclnnNormalTensorFloat,
     plan_normal({"aclnnNormalTensorFloat", false, out, 0, std, true, false, mean, nullptr}, GIVEN),
     IN(mean)(float, std) SEED OUT(out))
PLAN(aclnnNormalTensorTensor,
     plan_normal({"aclnnNormalTensorTensor", false, out, 0, 0, true, true, mean, std}, GIVEN),
     IN(mean) IN(std) SEED OUT(out))

PLAN(aclnnBernoulli, plan_bernoulli({"aclnnBernoulli", false, self, false, prob, out}, GIVEN),
     IN(self) SCALAR(prob) SEED OUT(out))
PLAN(aclnnBernoulliTensor, plan_bernoulli({"aclnnBernoulliTensor", false, self, true, prob, out}, GIVEN),
     IN(self) IN(prob) SEED OUT(out))
PLAN(aclnnInplaceBernoulli, plan_bernoulli({"aclnnInplaceBernoulli", true, nullptr, false, prob, selfRef}, GIVEN),
     REF SCALAR(prob) SEED)
PLAN(aclnnInplaceBernoulliTensor,
     plan_bernoulli({"aclnnInplaceBernoulliTensor", true, nullptr, true, prob, selfRef}, GIVEN), REF IN(prob) SEED)

PLAN(aclnnInplaceRandom, plan_random("aclnnInplaceRandom", selfRef, from, to, GIVEN),
     REF (int64_t, from)(int64_t, to) SEED)
PLAN(aclnnInplaceRandomTensor, plan_random("aclnnInplaceRandomTensor", selfRef, from, to, IN_MEMORY),
     REF (int64_t, from)(int64_t, to) SEED_TENSORS)
PLAN(aclnnInplaceRandomWithoutFromTo, plan_random_full("aclnnInplaceRandomWithoutFromTo", selfRef, GIVEN), REF SEED)
PLAN(aclnnInplaceRandomWithoutFromToTensor,
     plan_random_full("aclnnInplaceRandomWithoutFromToTensor", selfRef, IN_MEMORY), REF SEED_TENSORS)

PLAN(aclnnSimThreadExponential, plan_exponential(selfRef, count, lambda, GIVEN),
     OUT(selfRef) (int64_t, count)(double, lambda) SEED)

PLAN(aclnnRReluWithNoise, plan_rrelu({"aclnnRReluWithNoise", self, noise, lower, upper, training, false, out}, GIVEN),
     IN(self) IN(noise) SCALAR(lower) SCALAR(upper) (bool, training) SEED OUT(out))
PLAN(aclnnInplaceRReluWithNoise,
     plan_rrelu({"aclnnInplaceRReluWithNoise", self, noise, lower, upper, training, true, nullptr}, GIVEN),
     IN(self) IN(noise) SCALAR(lower) SCALAR(upper) (bool, training) SEED)

PLAN(aclnnDropout, plan_dropout({"aclnnDropout", input, false, nullptr, p, train, out, maskOut}, GIVEN),
     IN(input) (double, p)(bool, train) SEED OUT(out) OUT(maskOut))
PLAN(aclnnDropoutV3, plan_dropout({"aclnnDropoutV3", input, true, optionalNoiseShape, p, true, out, maskOut}, GIVEN),
     IN(input) IN(optionalNoiseShape) (double, p) SEED OUT(out) OUT(maskOut))
PLAN(aclnnDropoutGenMask, plan_gen_mask({"aclnnDropoutGenMask", shape, prob, false, 0, out}, GIVEN),
     (const aclIntArray*, shape)(double, prob) SEED OUT(out))
PLAN(aclnnDropoutGenMaskV2, plan_gen_mask({"aclnnDropoutGenMaskV2", shape, prob, true, probDataType, out}, GIVEN),
     (const aclIntArray*, shape)(double, prob) SEED (aclDataType, probDataType) OUT(out))
PLAN(aclnnDropoutGenMaskV2Tensor,
     plan_gen_mask({"aclnnDropoutGenMaskV2Tensor", shape, prob, true, probDataType, out}, IN_MEMORY),
     (const aclIntArray*, shape)(double, prob) SEED_TENSORS (aclDataType, probDataType) OUT(out))
PLAN(aclnnDropoutDoMask, plan_do_mask_for({"aclnnDropoutDoMask", self, "self", mask, out, "out"}, prob),
     IN(self) IN(mask) (double, prob) OUT(out))
PLAN(aclnnDropoutBackward, plan_do_mask({"aclnnDropoutBackward", gradOutput, "gradOutput", mask, out, "out"}, scale),
     IN(gradOutput) IN(mask) (double, scale) OUT(out))
PLAN(aclnnDropoutV3Grad, plan_do_mask({"aclnnDropoutV3Grad", gradY, "gradY", mask, gradX, "gradX"}, scale),
     IN(gradY) IN(mask) (double, scale) OUT(gradX))

PLAN(aclnnRandperm, plan_permutation(n, out, GIVEN), (int64_t, n) SEED OUT(out))
PLAN(aclnnMultinomial, plan_multinomial("aclnnMultinomial", self, numsamples, replacement, out, GIVEN),
     IN(self) (int64_t, numsamples)(bool, replacement) SEED OUT(out))
PLAN(aclnnMultinomialTensor, plan_multinomial("aclnnMultinomialTensor", self, numsamples, replacement, out, IN_MEMORY),
     IN(self) (int64_t, numsamples)(bool, replacement) SEED_TENSORS OUT(out))

}  // extern "C"
// clang-format on
