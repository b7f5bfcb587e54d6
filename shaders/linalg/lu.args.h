// The arguments of the kernels of LU decompositions; operand 0 of lu_panel.comp and lu_swap.comp is rows x rows, with
// row stride `pitch`.
#define LU_PANEL_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, pitch) \
  ARGUMENT(uint, unused) \
  ARGUMENT(uint, first_step) /* also the first row and column of the panel */ \
  ARGUMENT(uint, steps) /* columns of the panel */ \
  ARGUMENT(uint, groups) \
  ARRAY(uint, unused_end, 2)

#define LU_SWAP_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, pitch) \
  ARGUMENT(uint, swapped_columns) \
  ARGUMENT(uint, first_step) \
  ARGUMENT(uint, steps) /* whose row swaps are done */ \
  ARGUMENT(uint, groups) \
  ARGUMENT(uint, first_column) /* of swapped_columns */ \
  ARGUMENT(uint, unused)

#define PERMUTATION_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, pitch) /* of operand 1 */ \
  ARRAY(uint, unused, 3) \
  ARGUMENT(uint, groups) \
  ARRAY(uint, unused_end, 2)
