// The specialization constants of linalg/determinant.comp.
#define DETERMINANT_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kWhole, 0) /* log(det), NaN for a real det below 0; else log(|det|) */
