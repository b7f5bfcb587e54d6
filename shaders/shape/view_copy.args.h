// The arguments of shape/view_copy.comp.
#define VIEW_COPY_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, target_rank) \
  ARGUMENT(uint, source_rank) \
  ARGUMENT(uint, target_elements) \
  ARGUMENT(uint, source_elements)
