package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Calls a MAD over one HTTP connection at a time, under any identity it has a token of, and returns
 * the kind of answer in a word. Not for several threads at once.
 */
final class HostileCaller implements AutoCloseable {
  private static final Pattern STATUS = Pattern.compile("^HTTP/1\\.1 (\\d+)");
  private static final int SHOWN = 60;

  /** The path to an error's code in an MCP result. */
  private static final String CODE = "/result/_meta/joshua~1error/code";

  static final String CUT_OFF = "cut off";

  private final int port;
  private @Nullable RawWeb web;

  HostileCaller(int port) {
    this.port = port;
  }

  /** The code of an error, {@code HTTP 503}, {@code cut off}, or {@code success}. */
  String call(String client, String tool, String arguments) {
    return say(AttackTokens.as(client, McpText.modernCall(1, tool, arguments)));
  }

  /** Unsubscribes these attackers, unless there is no answer. */
  static void unsubscribe(AttackTarget target, int from, int to) {
    try (HostileCaller caller = new HostileCaller(target.grace())) {
      String outcome = "";
      for (int n = from; n < to && !outcome.equals(CUT_OFF); n++) {
        String client = AttackTokens.hostile(n);
        outcome = caller.call(client, "grace_unsubscribe", "{'client_id':'%s'}".formatted(client));
      }
    }
  }

  /** Sends any request, and reads its answer. */
  String say(McpText request) {
    try {
      if (web == null) {
        web = RawWeb.to(port);
      }
      String head = web.say(request.post()).head();
      String outcome = outcome(head, web.body(head));
      if (head.toLowerCase(java.util.Locale.ROOT).contains("connection: close")) {
        close();
      }
      return outcome;
    } catch (UncheckedIOException | AssertionError | NumberFormatException e) {
      close();
      return CUT_OFF;
    }
  }

  private static String outcome(String head, String body) {
    Matcher status = STATUS.matcher(head);
    if (!status.find()) {
      return "no HTTP";
    }
    if (!status.group(1).equals("200")) {
      return "HTTP " + status.group(1);
    }
    return outcome(FrameSocketClient.parse(body));
  }

  /** The code in a frame that came over a socket. */
  static String outcome(RawWeb.Frame frame) {
    return frame.opcode() == RawWeb.CLOSE
        ? "closed with " + frame.code()
        : outcome(FrameSocketClient.parse(frame.text()));
  }

  /** The code in an MCP answer or one in design frames. */
  static String outcome(JsonNode answer) {
    if (answer.at(CODE).isTextual()) {
      return answer.at(CODE).asText();
    }
    if (answer.has("error")) {
      JsonNode code = answer.at("/error/data/code");
      return code.isMissingNode() ? "error " + answer.at("/error/code").asText() : code.asText();
    }
    if (answer.path("status").asText().equals("error")) {
      return answer.path("code").asText();
    }
    String text = answer.at("/result/content/0/text").asText();
    return answer.at("/result/isError").asBoolean()
        ? text.substring(0, Math.min(SHOWN, text.length()))
        : "success";
  }

  @Override
  public void close() {
    if (web != null) {
      web.close();
      web = null;
    }
  }
}
