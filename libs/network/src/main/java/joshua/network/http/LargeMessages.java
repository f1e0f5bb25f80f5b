package joshua.network.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Semaphore;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.network.mcp.JsonRpc;

/**
 * Parses what a process is sent, few large texts at a time: a tree takes up to forty times the
 * bytes of its text, so the frame limit alone would not bound the heap.
 */
final class LargeMessages {
  private static final int LARGE = 64 * 1024;
  private static final int AT_ONCE = 4;

  private static final Semaphore TURNS = new Semaphore(AT_ONCE, true);

  private LargeMessages() {}

  /** Reads one value; a large one waits for its turn. */
  static JsonNode parse(byte[] utf8) throws MalformedJsonException, InterruptedException {
    if (utf8.length <= LARGE) {
      return Json.parse(utf8);
    }
    TURNS.acquire();
    try {
      return Json.parse(utf8);
    } finally {
      TURNS.release();
    }
  }

  /** Reads one message of JSON-RPC. */
  static JsonRpc parseRpc(byte[] utf8) throws InterruptedException {
    try {
      return JsonRpc.of(parse(utf8));
    } catch (MalformedJsonException e) {
      return JsonRpc.malformed(e);
    }
  }
}
