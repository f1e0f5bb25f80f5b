package joshua.network.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;

/** The body of one HTTP request, as far as it could be read. */
sealed interface Body {

  /** All of it. */
  @SuppressWarnings("ArrayRecordComponent") // Handed over once, never compared.
  record Whole(byte[] bytes) implements Body {}

  /** It is larger than it may be. */
  record TooLarge() implements Body {}

  /** Too much is being read from others at this moment. */
  record NoRoom() implements Body {}

  /** It came so slowly that others found no room. */
  record TooSlow() implements Body {}

  /**
   * Reads it a piece at a time; what has come has its room in {@code coming} while more is awaited.
   *
   * @param limit bytes of the largest body
   */
  static Body read(InputStream in, long limit, Passage coming) throws IOException {
    try (Passage.Load load = coming.begin()) {
      try {
        return load.takeSmall() ? read(in, limit, load) : new NoRoom();
      } catch (IOException | RuntimeException | InterruptedException e) {
        if (load.isCut()) {
          return new TooSlow();
        }
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException();
        }
        throw e instanceof IOException cause ? cause : new IOException(e);
      }
    }
  }

  private static Body read(InputStream in, long limit, Passage.Load load)
      throws IOException, InterruptedException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    byte[] piece = new byte[Passage.SMALL];
    for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
      load.moved();
      body.write(piece, 0, count);
      if (body.size() > limit) {
        return new TooLarge();
      }
      // A growing array takes up to twice what is in it.
      if (body.size() > Passage.SMALL && !load.takeLarge(2L * count)) {
        return new NoRoom();
      }
    }
    return new Whole(body.toByteArray());
  }
}
