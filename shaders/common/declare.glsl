// A shader declares its arguments and specialization constants as lists in shaders/<stem>.args.h, which the host's half of the kernel
// reads, too (ops/kernel/declare.hpp). A list of arguments is a macro, in the order of the argument block:
//
//     #define FILL_ARGUMENTS(ARGUMENT, ARRAY) ARGUMENT(float, scale) ARRAY(uint, value, 4)
//
// and the shader defines OWN_ARGUMENTS as its name before it includes a frame or common/kernel.glsl. A list of constants is a macro of
// numbers, types, names and the values without specialization, which the shader declares with ACLVK_CONSTANTS(FILL_CONSTANTS):
//
//     #define FILL_CONSTANTS(CONSTANT, LOCAL_SIZE) LOCAL_SIZE(0) CONSTANT(1, uint, kLanes, 8)
//
// The numbers count from FIRST_CONSTANT, which a frame moves past its own constants.

#ifndef FIRST_CONSTANT
#define FIRST_CONSTANT 0

#define ACLVK_MEMBER(type, name) type name;
#define ACLVK_MEMBERS(type, name, count) type name[count];
#define ACLVK_WORD(type, name) +1
#define ACLVK_WORDS_OF(type, name, count) +(count) * ACLVK_WORDS_IN_##type  // a constant that a shader defines for its own struct
#define ACLVK_WORDS_IN_uint 1
#define ACLVK_WORDS_IN_int 1
#define ACLVK_WORDS_IN_float 1
#define ACLVK_ARGUMENTS(list) list(ACLVK_MEMBER, ACLVK_MEMBERS)           // as the members of a struct
#define ACLVK_ARGUMENT_WORDS(list) (0 list(ACLVK_WORD, ACLVK_WORDS_OF))  // their number

#define ACLVK_CONSTANT(n, type, name, value) layout(constant_id = FIRST_CONSTANT + n) const type name = value;
#define ACLVK_LOCAL_SIZE(n) layout(local_size_x_id = FIRST_CONSTANT + n) in;
#define ACLVK_ONE(n, type, name, value) +1
#define ACLVK_ONE_SIZE(n) +1
#define ACLVK_CONSTANTS(list) list(ACLVK_CONSTANT, ACLVK_LOCAL_SIZE)
#define ACLVK_CONSTANT_COUNT(list) (0 list(ACLVK_ONE, ACLVK_ONE_SIZE))
#endif
