// The arguments and the specialization constants of rnn/lstm_step.comp.
#define LSTM_STEP_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, batch) \
  ARGUMENT(uint, size)

#define LSTM_STEP_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kPacked, false) \
  CONSTANT(1, bool, kSaves, false)
