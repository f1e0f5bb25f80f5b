package joshua.network.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The body of one HTTP request, as far as it could be read. */
sealed interface RequestBody {

  /** All of it. */
  @SuppressWarnings("ArrayRecordComponent") // Handed over once, never compared.
  record Whole(byte[] bytes) implements RequestBody {}

  /** It is larger than it may be. */
  record TooLarge() implements RequestBody {}

  /** Too much is being read from other clients now. */
  record NoRoom() implements RequestBody {}

  /** What came isn't an HTTP body: its chunks are malformed. */
  record Malformed() implements RequestBody {}

  /** It came so slowly that other requests found no room. */
  record TooSlow() implements RequestBody {}

  /**
   * Reads it a piece at a time; what has come has its room in {@code coming} while more is awaited.
   *
   * @param limit bytes of the largest body
   */
  static RequestBody read(InputStream in, long limit, TransferBudget coming) throws IOException {
    try (TransferBudget.Load load = coming.begin()) {
      try {
        return load.takeSmall() ? read(in, limit, load) : new NoRoom();
      } catch (IOException | RuntimeException | InterruptedException e) {
        if (load.isCut()) {
          return new TooSlow();
        }
        if (HttpErrors.malformed(e) != null) {
          return new Malformed();
        }
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException();
        }
        throw e instanceof IOException cause ? cause : new IOException(e);
      }
    }
  }

  private static RequestBody read(InputStream in, long limit, TransferBudget.Load load)
      throws IOException, InterruptedException {
    Pieces pieces = new Pieces();
    for (int count = pieces.readFrom(in); count >= 0; count = pieces.readFrom(in)) {
      load.moved(count);
      if (pieces.size() > limit) {
        return new TooLarge();
      }
      // All pieces are put together once, and are there twice then.
      if (pieces.size() > TransferBudget.SMALL && !load.takeLarge(2L * count)) {
        return new NoRoom();
      }
    }
    return new Whole(pieces.together());
  }

  /** What has come, in pieces that stay where they are while more comes. */
  final class Pieces {
    private final List<byte[]> full = new ArrayList<>();
    private byte[] last = new byte[TransferBudget.SMALL];
    private int inLast;

    /** Reads what is there; how much that was, or -1 at the end. */
    private int readFrom(InputStream in) throws IOException {
      if (inLast == last.length) {
        full.add(last);
        last = new byte[TransferBudget.SMALL];
        inLast = 0;
      }
      int count = in.read(last, inLast, last.length - inLast);
      inLast += Math.max(count, 0);
      return count;
    }

    private long size() {
      return (long) full.size() * TransferBudget.SMALL + inLast;
    }

    private byte[] together() {
      ByteBuffer whole = ByteBuffer.allocate(Math.toIntExact(size()));
      full.forEach(whole::put);
      return whole.put(last, 0, inLast).array();
    }
  }
}
