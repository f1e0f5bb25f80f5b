package joshua.network.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import joshua.network.Budget;

/** The body of one HTTP request, as far as it could be read. */
sealed interface Body {
  /** So much is read in any case, however much is held for others. */
  int ALWAYS_READ = 16 * 1024;

  /** All of it. */
  @SuppressWarnings("ArrayRecordComponent") // Handed over once, never compared.
  record Whole(byte[] bytes) implements Body {}

  /** It is larger than it may be. */
  record TooLarge() implements Body {}

  /** Too much is being read from others at this moment. */
  record NoRoom() implements Body {}

  /**
   * Reads it a piece at a time; what has come is taken from the budget while more is awaited.
   *
   * @param limit bytes of the largest body
   */
  static Body read(InputStream in, long limit, Budget budget) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    byte[] piece = new byte[ALWAYS_READ];
    long held = 0;
    try {
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        body.write(piece, 0, count);
        if (body.size() > limit) {
          return new TooLarge();
        }
        if (body.size() > ALWAYS_READ) {
          // A growing array takes up to twice what is in it.
          if (!budget.take(2L * count)) {
            return new NoRoom();
          }
          held += 2L * count;
        }
      }
      return new Whole(body.toByteArray());
    } finally {
      budget.give(held);
    }
  }
}
