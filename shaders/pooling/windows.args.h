// The arguments and the specialization constants of the kernels that include pooling/windows.glsl.
// A window along one dim:
#define WINDOW_MEMBERS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, positions) \
  ARGUMENT(int, extent) /* the size of x */ \
  ARGUMENT(uint, stride) \
  ARGUMENT(int, size) /* elements of the window, or an upper bound */ \
  ARGUMENT(int, step) \
  ARGUMENT(int, before) /* padding; negative where a window is a segment of a longer one */ \
  ARGUMENT(int, dilation)

#define WINDOWS_ARGUMENTS(ARGUMENT, ARRAY) \
  ARRAY(WindowArguments, windows, 3)

#define WINDOWS_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kPlacement, 0) \
  CONSTANT(1, int, kUnroll, 1) /* unroll factor of the innermost loop */
