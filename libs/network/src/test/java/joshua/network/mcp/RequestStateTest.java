package joshua.network.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.network.Caller;
import org.junit.jupiter.api.Test;

class RequestStateTest {
  private static final Caller ANN = new Caller(Optional.of("ann"), Role.OPERATOR, "c");
  private static final Caller BOB = new Caller(Optional.of("bob"), Role.OPERATOR, "c");

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final InstantSource time = now::get;
  private final RequestState states = new RequestState(time);
  private final Map<String, ObjectNode> answers = Map.of("a", Json.object().put("b", 1));

  private static JsonRpc.Request request(String params) throws Exception {
    return new JsonRpc.Request(IntNode.valueOf(1), "tools/call", (ObjectNode) Json.parse(params));
  }

  private JsonRpc.Request again(String params, String state) throws Exception {
    JsonRpc.Request request = request(params);
    request.params().put("requestState", state);
    return request;
  }

  @Test
  void theAnswersComeBackWithTheSameRequestWhateverTheOrderOfItsArguments() throws Exception {
    String state =
        states.write(request("{\"name\":\"t\",\"arguments\":{\"x\":1,\"y\":2}}"), ANN, answers);
    assertThat(states.read(again("{\"name\":\"t\",\"arguments\":{\"y\":2,\"x\":1}}", state), ANN))
        .isEqualTo(answers);
    assertThat(states.read(request("{\"name\":\"t\"}"), ANN)).isEmpty();
  }

  @Test
  void aStateOfAnotherCallerRequestTimeOrMakerIsRefused() throws Exception {
    String params = "{\"name\":\"t\"}";
    String state = states.write(request(params), ANN, answers);
    refused(states, again(params, state), BOB);
    refused(states, again("{\"name\":\"u\"}", state), ANN);
    refused(states, again("{\"name\":\"t\",\"arguments\":{\"x\":1}}", state), ANN);
    refused(states, again(params, "x" + state), ANN);
    refused(states, again(params, state.substring(1)), ANN);
    refused(states, again(params, "."), ANN);
    refused(new RequestState(time), again(params, state), ANN);
    now.set(Instant.EPOCH.plus(RequestState.GOOD_FOR).plusMillis(1));
    refused(states, again(params, state), ANN);
  }

  private static void refused(RequestState states, JsonRpc.Request request, Caller caller) {
    assertThatThrownBy(() -> states.read(request, caller))
        .isInstanceOf(RpcError.RpcFailureException.class)
        .hasMessageStartingWith("requestState");
  }
}
