// The arguments and the specialization constants of attention/flash.comp.
#include "attention/sequence.args.h"
#define FLASH_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, sequences) \
  ARGUMENT(uint, heads) \
  ARGUMENT(uint, group) \
  ARGUMENT(uint, qk_dim) \
  ARGUMENT(uint, v_dim) \
  ARGUMENT(uint, row_tiles) \
  ARGUMENT(float, scale) \
  ARGUMENT(int, before) \
  ARGUMENT(int, after) \
  ARRAY(uint, q_strides, 3) \
  ARRAY(uint, k_strides, 3) \
  ARRAY(uint, v_strides, 3) \
  ARRAY(uint, out_strides, 3) \
  ARRAY(uint, mask_strides, 3) \
  ARRAY(uint, bias_strides, 3) \
  ARGUMENT(uint, table_stride) \
  ARGUMENT(uint, page) \
  ARGUMENT(uint, pages) \
  ARGUMENT(uint, k_page) \
  ARGUMENT(uint, v_page) \
  ARRAY(uint, stats_strides, 3) \
  ARGUMENT(int, position_offset) \
  ARGUMENT(float, dropout_scale) \
  ARGUMENT(uint, bias_columns) \
  ARGUMENT(uint, sink_stride)

// Of the variant segment, after those: the keys and the tiles of a kernel.
#define FLASH_SEGMENT_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, from) \
  ARGUMENT(uint, to) \
  ARGUMENT(uint, first_tile) \
  ARGUMENT(uint, tiles)

// Of both variants, the last ones.
#define FLASH_SEQUENCES(ARGUMENT, ARRAY) \
  ARRAY(SequenceArguments, all, 32)

#define FLASH_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  LOCAL_SIZE(0) \
  CONSTANT(1, uint, kLanes, 8) \
  CONSTANT(2, uint, kRows, 16) \
  CONSTANT(3, uint, kVVec8s, 2) /* vec8s of a result row in a thread */ \
  CONSTANT(4, uint, kQkVec8s, 2) /* vec8s of a row of q in a thread, for few rows */ \
  CONSTANT(5, uint, kWindow, 0) /* 1: there is one; 2: and a visible prefix */ \
  CONSTANT(6, uint, kMask, 0) /* 1: not 0 hides a key; 2: combined mask: bit 0 hides a key, bit 1 drops its weight */ \
  CONSTANT(7, uint, kPositionBias, 0) /* 1 added after the scale, 2 before it; 3 ALiBi: minus a slope for each head times the distance \
     between query and key, 4 times the square root of the distance */ \
  CONSTANT(8, uint, kTable, 0) /* 1: a block table for paged k and v; 2: two paddings */ \
  CONSTANT(9, uint, kStats, 0) /* 1: log-sum-exp of each row; 2: its maximum and its sum */ \
  CONSTANT(10, uint, kDtype0, 0) /* of q, k and v */ \
  CONSTANT(11, uint, kDtype3, 0) \
  CONSTANT(12, uint, kDtype5, 0) \
  CONSTANT(13, uint, kDtype6, 0) /* of the block table */ \
  CONSTANT(14, uint, kSink, 0) \
  CONSTANT(15, uint, kDtype8, 0) \
  CONSTANT(16, bool, kLastRows, false) /* the bias has 1024 rows, for the tokens from `position_offset` on */
