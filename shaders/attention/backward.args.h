// The arguments and the specialization constants of attention/backward.comp.
#include "attention/sequence.args.h"
#define BACKWARD_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, sequences) \
  ARGUMENT(uint, heads) \
  ARGUMENT(uint, group) \
  ARGUMENT(uint, qk_dim) \
  ARGUMENT(uint, v_dim) \
  ARGUMENT(uint, row_tiles) \
  ARGUMENT(float, scale) \
  ARGUMENT(int, before) \
  ARGUMENT(int, after) \
  ARGUMENT(uint, from) \
  ARGUMENT(uint, to) \
  ARGUMENT(uint, first_head) \
  ARGUMENT(uint, last_head) \
  ARRAY(uint, own_qk_strides, 3) \
  ARRAY(uint, own_vdy_strides, 3) \
  ARRAY(uint, other_qk_strides, 3) \
  ARRAY(uint, other_vdy_strides, 3) \
  ARRAY(uint, qk_grad_strides, 3) \
  ARRAY(uint, v_grad_strides, 3) \
  ARRAY(uint, mask_strides, 3) \
  ARRAY(uint, bias_strides, 3) \
  ARRAY(uint, row_strides, 3) \
  ARGUMENT(int, position_offset) \
  ARGUMENT(float, dropout_scale) \
  ARGUMENT(uint, bias_columns) \
  ARRAY(SequenceArguments, all, 32)

#define BACKWARD_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  LOCAL_SIZE(0) \
  CONSTANT(1, uint, kLanes, 8) \
  CONSTANT(2, uint, kRows, 4) \
  CONSTANT(3, uint, kQkVec8s, 1) /* vec8s of a row of q or k in a thread */ \
  CONSTANT(4, uint, kVVec8s, 1) /* vec8s of a row of v or dY in a thread */ \
  CONSTANT(5, uint, kWindow, 0) /* kWindow, kMask, kPositionBias and kLastRows are as in flash.comp */ \
  CONSTANT(6, uint, kMask, 0) \
  CONSTANT(7, uint, kPositionBias, 0) \
  CONSTANT(8, bool, kLastRows, false) \
  CONSTANT(9, bool, kKeys, false) \
  CONSTANT(10, bool, kContinues, false) \
  CONSTANT(11, uint, kDtype0, 0) /* of q, k, v and dY */ \
  CONSTANT(12, uint, kDtype5, 0) /* of dQ or dK */ \
  CONSTANT(13, uint, kDtype6, 0) /* of dV */ \
  CONSTANT(14, uint, kDtype8, 0) /* of the position bias */
