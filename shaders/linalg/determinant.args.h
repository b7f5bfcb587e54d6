// The specialization constants of linalg/determinant.comp.
#define DETERMINANT_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kWhole, 0) /* log(det), NaN for a real det below 0; else log(|det|) */

// The arguments.
#define DETERMINANT_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, pitch) /* of operand 0 */ \
  ARRAY(uint, unused, 3) \
  ARGUMENT(uint, groups) \
  ARRAY(uint, unused_end, 2)
