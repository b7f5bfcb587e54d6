// The constants of a frame after its own ones: the dtype of each operand, and kPromoted, in which the kernel computes. KernelBuilder's
// add_dtypes() of ops/kernel/kernel_builder.hpp is the host's half. FIRST_CONSTANT is the number of the frame's own constants.

ACLVK_CONSTANT(0, uint, kDtype0, 0)
ACLVK_CONSTANT(1, uint, kDtype1, 0)
#if OPERANDS > 2
ACLVK_CONSTANT(2, uint, kDtype2, 0)
#endif
#if OPERANDS > 3
ACLVK_CONSTANT(3, uint, kDtype3, 0)
#endif
#if OPERANDS > 4
ACLVK_CONSTANT(4, uint, kDtype4, 0)
#endif
#if OPERANDS > 5
ACLVK_CONSTANT(5, uint, kDtype5, 0)
#endif
ACLVK_CONSTANT(OPERANDS, uint, kPromoted, 0)
