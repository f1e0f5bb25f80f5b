package joshua.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.network.Tool.Audience;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressDefaultsTest {
  private static final String ID = "00000000-0000-4000-8000-00000000000a";

  record Says(
      @Name String clientId, @Nullable UUID conversationId, @Name @Nullable String to, int many) {}

  record Lists(
      @Name String workerId, @Name(anybody = true) @Nullable String requesterId, String text) {}

  record Drops(String project) {}

  record Done(String status, String input) {}

  private final ToolRegistry tools =
      new ToolRegistry(
          List.of(
              tool("says", Says.class, Audience.MODEL),
              tool("lists", Lists.class, Audience.MODEL),
              tool("drops", Drops.class, Audience.ADMIN)),
          InstantSource.system(),
          new PrometheusRegistry());

  private static <I extends Record> Tool<I> tool(String name, Class<I> input, Audience audience) {
    Tool.Function<I> reads = (read, _) -> ToolResult.success(new Done("success", read.toString()));
    return new Tool<>(
        name, name, "", input, Done.class, audience, Role.VIEWER, ToolHints.READS, reads);
  }

  private ToolResult call(String query, String tool, String input) throws Exception {
    Connection connection =
        new Connection("test", () -> false, action -> () -> {}, tools.defaults(query));
    Caller caller = Caller.local(connection.part());
    ObjectNode given = (ObjectNode) Json.parse(input);
    return tools.begin(tool, given, caller, Audience.MODEL).join();
  }

  private String read(String query, String tool, String input) throws Exception {
    ToolResult result = call(query, tool, input);
    assertThat(result).isInstanceOf(ToolResult.Success.class);
    return new String(((ToolResult.Success) result).json().utf8());
  }

  @Test
  void whatACallLacksIsFilledInAndWhatItHasIsKept() throws Exception {
    String query = "client_id=%61nn&&conversation_id=" + ID;
    assertThat(read(query, "says", "{\"many\":1}"))
        .contains("clientId=ann", "conversationId=" + ID, "to=null");
    assertThat(read(query, "says", "{\"many\":1,\"client_id\":\"bob\",\"conversation_id\":null}"))
        .contains("clientId=bob", "conversationId=" + ID);
    assertThat(read(query, "lists", "{\"text\":\"x\"}"))
        .contains("workerId=ann", "requesterId=null");
    assertThat(call("", "says", "{\"many\":1}")).isInstanceOf(ToolResult.Refused.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          projekt=x | projekt can't stand behind the ?; only client_id, conversation_id can.
          project=x | project can't stand behind the ?; only client_id, conversation_id can.
          to=bob | to can't stand behind the ?; only client_id, conversation_id can.
          client_id=a%20b | client_id must be 1-128 characters
          client_id=a=b | client_id must be 1-128 characters
          client_id | client_id must be 1-128 characters
          conversation_id=7 | conversation_id must be a UUID of 36 characters, not the string "7".
          client_id=a&client_id=a | client_id must stand once, not twice.
          client_id=%zz | %zz must be percent-encoded
          """)
  void whatCanNotStandInAnAddressIsRefusedInEachCall(String query, String why) throws Exception {
    assertThat(call(query, "says", "{\"client_id\":\"ann\",\"many\":1}"))
        .isInstanceOfSatisfying(
            ToolResult.Refused.class,
            refused -> assertThat(refused.refusal().message()).startsWith("In this URL " + why));
  }
}
