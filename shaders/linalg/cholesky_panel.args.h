// The specialization constants of linalg/cholesky_panel.comp.
#define CHOLESKY_PANEL_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kTop, true)
