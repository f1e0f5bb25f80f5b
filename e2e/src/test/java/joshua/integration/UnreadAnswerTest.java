package joshua.integration;

import static joshua.integration.GraceCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import joshua.kernel.Json;
import joshua.testing.Await;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Callers that die with an answer unread: their system resets the connection. They are raw sockets,
 * since libraries read what comes.
 */
class UnreadAnswerTest extends GroupTest {
  @BeforeEach
  void subscribe() {
    grace.subscribe(bob, toBob);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "mcp", ""})
  void whatItTookComesAgainAndSaysSo(String protocol) throws Exception {
    sendToBob("one");
    Socket caller = polled(protocol);
    Await.until("the answer has come", () -> available(caller) > 0);
    awaitWritten();
    caller.setSoLinger(true, 0);
    caller.close();
    JsonNode again = grace.poll(bob, "wait_ms", 60_000);
    assertThat(texts(again)).containsExactly("one");
    assertThat(again.path("redelivered").asBoolean()).isTrue();
    sendToBob("two");
    JsonNode next = grace.poll(bob, "wait_ms", 60_000);
    assertThat(texts(next)).containsExactly("two");
    assertThat(next.has("redelivered")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "mcp", ""})
  void aCallerThatHasGoneTakesNothing(String protocol) throws Exception {
    Socket caller = polled(protocol, 600_000);
    grace.awaitPoll(bob);
    caller.close();
    if (!protocol.equals("http")) { // where it shows when the answer is written
      Await.until("its poll has ended", () -> !grace.isPolled(bob));
    }
    sendToBob("kept");
    assertThat(texts(grace.poll(bob, "wait_ms", 60_000))).containsExactly("kept");
  }

  @Test
  void whatWasReadDoesNotComeAgain() throws Exception {
    sendToBob("one");
    try (Socket caller = polled("http")) {
      Await.until("the answer has come", () -> available(caller) > 0);
      byte[] read = new byte[64 * 1024];
      int length = caller.getInputStream().read(read);
      assertThat(new String(read, 0, length, StandardCharsets.UTF_8)).contains("one");
    }
    sendToBob("two");
    JsonNode next = grace.poll(bob, "wait_ms", 60_000);
    assertThat(texts(next)).containsExactly("two");
    assertThat(next.has("redelivered")).isFalse();
  }

  @Test
  void whoAsksForMoreHasReadWhatCameBefore() throws Exception {
    sendToBob("one");
    Socket caller = polled("http");
    Await.until("the answer has come", () -> available(caller) > 0);
    caller.getInputStream().skipNBytes(available(caller));
    post(caller, McpClient.request("ping", Json.object()).toString());
    Await.until("the other answer has come", () -> available(caller) > 0);
    caller.setSoLinger(true, 0);
    caller.close();
    assertThat(texts(grace.poll(bob, "wait_ms", 500))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"mcp", ""})
  void whoPollsAgainBySocketHasReadWhatCameBefore(String protocol) throws Exception {
    sendToBob("one");
    Socket caller = polled(protocol);
    assertThat(readFrame(caller)).contains("one");
    awaitWritten();
    poll(caller, protocol, 0);
    assertThat(readFrame(caller)).doesNotContain("one");
    caller.setSoLinger(true, 0);
    caller.close();
    assertThat(texts(grace.poll(bob, "wait_ms", 500))).isEmpty();
  }

  /** The answer counts as written a moment after it can be read. */
  private void awaitWritten() {
    Await.until("the answer counts as written", () -> waiting() == 0);
  }

  private int waiting() throws Exception {
    String uri = "grace://clients/%s/queue".formatted(bob);
    McpClient client = new McpClient(group.gracePort());
    JsonNode read =
        McpClient.tree(client.modern("resources/read", Json.object().put("uri", uri), uri));
    return Json.parse(read.at("/result/contents/0/text").asText()).path("waiting").asInt();
  }

  private static String readFrame(Socket socket) throws IOException {
    DataInputStream input = new DataInputStream(socket.getInputStream());
    int length = input.readUnsignedShort() & 0x7f;
    byte[] text = input.readNBytes(length == 126 ? input.readUnsignedShort() : length);
    return new String(text, StandardCharsets.UTF_8);
  }

  @Test
  void theReplyToAnAskerThatHasGoneWaitsInItsQueue() throws Exception {
    String carol = names.of("carol");
    grace.subscribe(carol, "mad.direct." + carol);
    Object[] request = {"client_id", bob, "to", carol, "payload", Map.of("text", "how are you?")};
    JsonNode asked;
    try (Socket asker = new Socket("127.0.0.1", group.gracePort())) {
      post(asker, McpClient.call("grace_request", request).toString());
      asked = grace.poll(carol, "wait_ms", 60_000).at("/messages/0");
    }
    grace.reply(carol, asked, Map.of("text", "well"));
    assertThat(texts(grace.poll(bob, "wait_ms", 60_000))).containsExactly("well");
  }

  private static int available(Socket socket) throws IOException {
    return socket.getInputStream().available();
  }

  /** A connection by which bob has polled, by HTTP or by a WebSocket with a sub-protocol. */
  private Socket polled(String protocol) throws IOException {
    return polled(protocol, 0);
  }

  private Socket polled(String protocol, int waitMillis) throws IOException {
    Socket socket = new Socket("127.0.0.1", group.gracePort());
    switch (protocol) {
      case "http" -> {}
      case "mcp" -> upgrade(socket, "/mcp", "Sec-WebSocket-Protocol: mcp\r\n");
      default -> upgrade(socket, "/ws", "");
    }
    poll(socket, protocol, waitMillis);
    return socket;
  }

  private void poll(Socket socket, String protocol, int waitMillis) throws IOException {
    ObjectNode input = FrameClient.object("client_id", bob, "wait_ms", waitMillis);
    String tool = "grace_poll_messages";
    String rpc = McpClient.call(tool, input).toString();
    switch (protocol) {
      case "http" -> post(socket, rpc);
      case "mcp" -> frame(socket, rpc);
      default -> frame(socket, "{\"tool_name\":\"%s\",\"tool_input\":%s}".formatted(tool, input));
    }
  }

  private static void post(Socket socket, String rpc) throws IOException {
    String length = "Content-Length: %d\r\n\r\n".formatted(rpc.length());
    String request = RequestHeadTest.POST + length + rpc;
    socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
  }

  private static void upgrade(Socket socket, String path, String header) throws IOException {
    assertThat(RequestHeadTest.response(socket, "GET " + path, RequestHeadTest.UPGRADE + header))
        .startsWith("HTTP/1.1 101 ");
  }

  /** A text frame whose mask is zero, so that it stays as it is. */
  private static void frame(Socket socket, String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream frame = new DataOutputStream(bytes);
    frame.writeShort(0x81fe);
    frame.writeShort(text.length());
    frame.writeInt(0);
    frame.writeBytes(text);
    socket.getOutputStream().write(bytes.toByteArray());
  }
}
