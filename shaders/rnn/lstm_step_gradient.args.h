// The arguments and the specialization constants of rnn/lstm_step_gradient.comp.
#define LSTM_STEP_GRADIENT_ARGUMENTS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, batch) \
  ARGUMENT(uint, size) \
  ARGUMENT(uint, y_step)

#define LSTM_STEP_GRADIENT_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, bool, kPacked, false)
