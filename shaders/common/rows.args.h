// The arguments of common/rows.glsl before those of the shader, and its specialization constants.
#define ROWS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, rows) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, chunk) \
  ARGUMENT(uint, chunks)

#define ROWS_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kTeam, 1) \
  CONSTANT(1, uint, kVector, 0) /* rows are contiguous in all operands, with aligned vec8s at the same elements */ \
  LOCAL_SIZE(2) \
  CONSTANT(3, uint, kTeamIsSubgroup, 0) \
  CONSTANT(4, uint, kRank, 1) \
  CONSTANT(5, uint, kRegisterVec8s, 0) /* vec8s of a row that a thread holds in registers */ \
  CONSTANT(6, uint, kRowsPerTeam, 1)   /* rows of a team, one after the other */ \
  CONSTANT(7, uint, kSpanVec8s, 1)     /* adjacent vec8s that a thread accesses at once, 1 or 2 */ \
  CONSTANT(8, uint, kChunked, 0)       /* rows are split into chunks */ \
  CONSTANT(9, uint, kExact, 0)         /* each team has a row, and rows fill the registers: no bounds checks */ \
  CONSTANT(10, uint, kUnroll, 1)       /* of SWEEP; more than 1 for rows that would take too many iterations */
