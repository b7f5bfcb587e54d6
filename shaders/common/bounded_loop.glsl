// Loops whose trip count a program chooses. Lavapipe of Mesa 22.3 gives each subgroup of a kernel a budget of 65535 loop iterations
// (the loop limiter of gallivm) and ends loops without an error when it is used up. Measured:
//
//     all loops share the budget: outer and inner ones, and those after them
//     a loop of n iterations costs n + 1, since the last test of its condition counts
//     the lane with the most iterations counts for all lanes, and both branches of a condition count
//     a barrier does not refill the budget; the next subgroup starts with a full one
//     with an empty budget a loop's body runs once, and execution continues after the loop
//     unrolled iterations cost nothing
//
// So the host keeps the sum over a thread's loops below kMaxIterations (ops/kernel/kernels.hpp): it splits the work into several kernels,
// or unrolls. LOOP_OVER is
//
//     for (uint i = first; i < end; i += step)
//
// with kUnroll values of i an iteration, unrolled. kUnroll is a specialization constant, 1 unless the host needs more. The body must
// not contain `break` or `continue`. tools/check_loops.py refuses every other loop without a constant bound, unless a comment on its
// line says what bounds it: "iterations: ...".

#extension GL_EXT_control_flow_attributes : enable

#define LOOP_OVER(i, first, end, step)                                                                                        \
  for (uint i##_iteration = first; i##_iteration < (end); i##_iteration += (step) * kUnroll) /* iterations: kUnroll */        \
    [[unroll]] for (uint i##_unrolled = 0, i = i##_iteration; i##_unrolled < kUnroll; ++i##_unrolled, i += (step))            \
      if (kUnroll == 1u || i < (end))
