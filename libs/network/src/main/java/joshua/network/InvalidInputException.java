package joshua.network;

import java.io.Serial;

/** An input that a record can't be read from; the message names the member and the rule. */
final class InvalidInputException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  InvalidInputException(String message) {
    super(message, null, false, false);
  }
}
