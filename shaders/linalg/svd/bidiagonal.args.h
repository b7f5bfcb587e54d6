// The arguments of linalg/svd/bidiagonal.comp and linalg/svd/bidiagonal_reflectors.comp.
#define BIDIAGONAL_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, unused) \
  ARGUMENT(uint, step) \
  ARGUMENT(uint, stored_rows) /* of operand 0, rows or more */ \
  ARGUMENT(uint, groups) \
  ARGUMENT(uint, max_groups) /* of a pass: rows of operand 4 */ \
  ARGUMENT(uint, pitch)

#define BIDIAGONAL_REFLECTORS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, columns) \
  ARGUMENT(uint, pass_groups) /* groups of the pass before */ \
  ARGUMENT(uint, step) \
  ARGUMENT(uint, stored_rows) \
  ARGUMENT(uint, groups) \
  ARGUMENT(uint, max_groups) \
  ARGUMENT(uint, pitch)
