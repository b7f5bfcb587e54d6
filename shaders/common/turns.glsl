// Loops whose length a program chooses. Lavapipe of Mesa 22.3 has one budget of 65535 turns for each subgroup of a kernel (the
// loop limiter of gallivm) and says nothing when it is used up. What was measured:
//
//     every loop takes from the same budget: the outer and the inner ones, and those after them
//     a loop of n turns takes n + 1, as the last look at its condition counts, too
//     lanes that turn less often wait: the longest lane of a loop counts, and so do both branches of a condition
//     a barrier gives nothing back; the next subgroup begins with all of it
//     where nothing is left a loop's body runs once, and goes on behind it
//     what is unrolled takes nothing
//
// So the host keeps the turns of a thread's loops together below kMostTurns (ops/operator.hpp). It cuts the work into kernels, or
// lets a turn take several: LOOP_OVER is
//
//     for (uint i = first; i < end; i += step)
//
// with kAtOnce of them a turn, unrolled. kAtOnce is a specialization constant, 1 unless the host needs more; the body has no `break`
// and no `continue`. tools/check_loops.py refuses a loop whose bound is neither a constant nor that, unless a comment behind it says
// what keeps it short: "turns: ...".

#extension GL_EXT_control_flow_attributes : enable

#define LOOP_OVER(i, first, end, step)                                                                   \
  for (uint i##_turn = first; i##_turn < (end); i##_turn += (step) * kAtOnce) /* turns: kAtOnce */       \
    [[unroll]] for (uint i##_part = 0, i = i##_turn; i##_part < kAtOnce; ++i##_part, i += (step))        \
      if (kAtOnce == 1u || i < (end))
