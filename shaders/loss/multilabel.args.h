// The arguments and the specialization constants of loss/multilabel.comp.
#define MULTILABEL_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, classes)

#define MULTILABEL_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kUnused, 0) \
  CONSTANT(1, bool, kFromEnd, true) /* negative indices count from the end */
