package joshua.network.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRpcTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-1,\"message\":\"no\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"no\"}}",
        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"no\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"result\":{}}",
        "{\"id\":1,\"result\":{}}",
      })
  void anAnswerIsNeverTakenForWhatHasToBeAnswered(String message) {
    assertThat(JsonRpc.read(message)).isInstanceOf(JsonRpc.Response.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{}}",
        "{\"jsonrpc\":\"1.0\",\"id\":1,\"error\":{}}",
      })
  void anAnswerToNobodyKnowsWhatHasNoId(String message) {
    assertThat(JsonRpc.read(message))
        .isInstanceOfSatisfying(
            JsonRpc.Response.class,
            response -> {
              assertThat(response.id().isNull()).isTrue();
              assertThat(response.error()).isTrue();
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{}",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":1}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}",
      })
  void whatIsNoMessageIsTold(String message) {
    assertThat(JsonRpc.read(message)).isInstanceOf(JsonRpc.Malformed.class);
  }
}
