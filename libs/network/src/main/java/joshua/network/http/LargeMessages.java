package joshua.network.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.concurrent.Semaphore;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.network.mcp.JsonRpc;
import joshua.network.mcp.RpcError;

/**
 * Parses what a process is sent, few large texts at a time: a tree takes up to forty times the
 * bytes of its text, so the frame limit alone would not bound the heap.
 */
final class LargeMessages {
  private static final int LARGE = 64 * 1024;
  private static final int AT_ONCE = 4;

  private final Semaphore turns = new Semaphore(AT_ONCE, true);

  /** Reads one value; a large one waits for its turn. */
  JsonNode parse(byte[] utf8) throws MalformedJsonException, InterruptedException {
    if (utf8.length <= LARGE) {
      return Json.parse(utf8);
    }
    turns.acquire();
    try {
      return Json.parse(utf8);
    } finally {
      turns.release();
    }
  }

  /** Reads one message of JSON-RPC. */
  JsonRpc parseRpc(byte[] utf8) throws InterruptedException {
    try {
      return JsonRpc.of(parse(utf8));
    } catch (MalformedJsonException e) {
      RpcError error = RpcError.parse(String.valueOf(e.getMessage()));
      return new JsonRpc.Malformed(NullNode.getInstance(), error);
    }
  }
}
