// The arguments of linalg/extend_identity.comp.
#define EXTEND_IDENTITY_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) /* of the result */ \
  ARGUMENT(uint, core_size) /* rows and columns of the leading block; 0: none */ \
  ARGUMENT(uint, columns) /* of the result */ \
  ARGUMENT(uint, unused) \
  ARGUMENT(uint, core_rows) /* of operand 0 */ \
  ARGUMENT(uint, groups) \
  ARGUMENT(uint, unused_end) \
  ARGUMENT(uint, core_pitch)
