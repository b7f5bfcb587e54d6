// The specialization constants of linalg/cholesky_panel.comp.
#define CHOLESKY_PANEL_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kTop, true)

// The arguments.
#define CHOLESKY_PANEL_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, count) \
  ARGUMENT(uint, rows) \
  ARRAY(uint, unused, 2) \
  ARGUMENT(uint, first_column) /* of the panel, and its first row */ \
  ARGUMENT(uint, unused_5) \
  ARGUMENT(uint, groups) \
  ARRAY(uint, unused_end, 2)
