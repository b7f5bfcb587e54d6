// The arguments and the specialization constants of shape/remap.comp.
// A dim whose coordinate follows a rule:
#define RULE_MEMBERS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, out_size) \
  ARGUMENT(uint, size) \
  ARGUMENT(uint, stride) \
  ARGUMENT(uint, rule) \
  ARGUMENT(uint, factor) /* a float for kScale, else an int */ \
  ARGUMENT(uint, addend) /* likewise */

#define REMAP_ARGUMENTS(ARGUMENT, ARRAY) \
  ARRAY(uint, fill, 4) \
  ARRAY(RuleArguments, rules, 8)

#define REMAP_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kDims, 0) /* dims with a rule */
