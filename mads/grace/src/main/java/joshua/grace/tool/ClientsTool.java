package joshua.grace.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import joshua.grace.queue.ClientPresence.ClientView;
import joshua.kernel.Role;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.service.admin.CommonTools.Nothing;
import org.jspecify.annotations.Nullable;

/** {@code grace_clients} and {@code grace_drop_client}: the administration of clients. */
public record ClientsTool(RelayParts relay) {
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Output(
      String status,
      List<ClientView> clients,
      @SchemaHint("What is lost if this relay ends now") @Nullable String note) {}

  public Tool<Nothing> listing() {
    return new Tool<>(
        "grace_clients",
        "Clients",
        "Lists the clients that have a queue here.",
        Nothing.class,
        Output.class,
        Tool.Audience.ADMIN,
        Role.VIEWER,
        ToolHints.READS,
        (input, call) -> {
          String note =
              relay
                  .presence()
                  .unread()
                  .map("%s; lost if this relay stops."::formatted)
                  .orElse(null);
          return ToolResult.success(new Output("success", relay.presence().views(), note));
        });
  }

  public record DropInput(@Name("Whose queue") String clientId) {}

  public record DropOutput(String status, boolean dropped) {}

  public Tool<DropInput> dropping() {
    return new Tool<>(
        "grace_drop_client",
        "Drop a client",
        "Ends a client's queue; the client is told when it polls next.",
        DropInput.class,
        DropOutput.class,
        Tool.Audience.ADMIN,
        Role.OPERATOR,
        new ToolHints(false, true, true, false),
        (input, call) -> {
          boolean dropped = relay.queues().drop(input.clientId());
          relay.presence().announceLeft();
          return ToolResult.success(new DropOutput("success", dropped));
        });
  }
}
