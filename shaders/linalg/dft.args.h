// The arguments and the specialization constants of linalg/dft.comp.
#define DFT_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, size) \
  ARGUMENT(uint, frequencies) \
  ARGUMENT(uint, taps) \
  ARGUMENT(uint, first) \
  ARGUMENT(uint, scale_low) \
  ARGUMENT(uint, scale_high)

#define DFT_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kWindow, 1) /* numbers of a window element: 0 no window, 1 real, 2 complex */
