package joshua.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import java.util.function.IntFunction;

/** The load of calls of one tool by MCP over HTTP, without a session. */
final class HttpCalls implements Load.Protocol {
  private static final String END = "\r\n\r\n";
  private static final String LENGTH = "content-length: ";
  private static final String LAST_CHUNK = "0\r\n\r\n";

  private final IntFunction<byte[]> request;

  HttpCalls(String tool, String arguments) {
    byte[] same = request("/mcp", "tools/call", call(tool, arguments));
    request = _ -> same;
  }

  /** Calls whose arguments are made for each, by the number of its connection. */
  HttpCalls(String path, String tool, IntFunction<String> arguments) {
    request = connection -> request(path, "tools/call", call(tool, arguments.apply(connection)));
  }

  private HttpCalls(byte[] same) {
    request = _ -> same;
  }

  /** Lists of all tools. */
  static HttpCalls lists(String path) {
    return new HttpCalls(request(path, "tools/list", "{}"));
  }

  private static String call(String tool, String arguments) {
    return "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments);
  }

  private static byte[] request(String path, String method, String params) {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}".formatted(method, params);
    return """
    POST %s HTTP/1.1\r
    Host: 127.0.0.1\r
    Content-Type: application/json\r
    Accept: application/json, text/event-stream\r
    MCP-Protocol-Version: 2025-06-18\r
    Content-Length: %d\r
    \r
    %s\
    """
        .formatted(path, body.length(), body)
        .getBytes(UTF_8);
  }

  @Override
  public void open(SocketChannel channel) {}

  @Override
  public byte[] request(int connection) {
    return request.apply(connection);
  }

  @Override
  public int answer(ByteBuffer buffer) throws IOException {
    String text = ISO_8859_1.decode(buffer.duplicate()).toString();
    int head = text.indexOf(END) + END.length();
    if (head < END.length()) {
      return 0;
    }
    String fields = text.substring(0, head).toLowerCase(Locale.ROOT);
    int length = fields.indexOf(LENGTH);
    int end;
    if (length >= 0) {
      int from = length + LENGTH.length();
      end = head + Integer.parseInt(fields.substring(from, fields.indexOf('\r', from)));
    } else {
      int last = text.indexOf(LAST_CHUNK, head);
      end = last < 0 ? Integer.MAX_VALUE : last + LAST_CHUNK.length();
    }
    if (text.length() < end) {
      return 0;
    }
    String body = text.substring(head, end);
    if (!fields.startsWith("http/1.1 200 ")
        || !body.contains("\"result\"")
        || body.contains("\"isError\":true")) {
      throw new IOException("A call failed: " + text.substring(0, end));
    }
    return end;
  }
}
