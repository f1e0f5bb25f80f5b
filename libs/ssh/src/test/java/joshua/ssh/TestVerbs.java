package joshua.ssh;

import static joshua.network.Tool.Audience.MODEL;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A service of two tools, and its verbs. */
public final class TestVerbs {
  /** What waits and what has ended, by the names that tests give. */
  public static final Set<String> WAITING = ConcurrentHashMap.newKeySet();

  public static final Set<String> ENDED = ConcurrentHashMap.newKeySet();

  private TestVerbs() {}

  record Named(@SchemaHint(max = 20) String name) {}

  record Greeted(String status, String greeting) {}

  public static VerbHost host() {
    Tool<Named> greet =
        tool(
            "greet",
            (input, _) ->
                input.name().equals("nobody")
                    ? ToolResult.refused(Refusal.of(ErrorCode.OVERLOADED, "There is nobody."))
                    : ToolResult.success(new Greeted("success", "Hello, " + input.name())));
    Tool<Named> hold =
        tool("hold", (input, call) -> call.runBlocking(() -> waitForEver(input, call)));
    return new VerbHost(
        "test",
        new ToolRegistry(List.of(greet, hold), InstantSource.system(), new PrometheusRegistry()),
        List.of(
            GreetVerb.class,
            WaitVerb.class,
            HoldVerb.class,
            ListVerb.class,
            OverflowVerb.class,
            UnmadeVerb.class),
        verb -> Optional.of("That is another's.").filter(_ -> verb.equals("clients")));
  }

  private static Tool<Named> tool(String name, Tool.Function<Named> function) {
    return new Tool<>(
        name, name, "", Named.class, Greeted.class, MODEL, Role.VIEWER, ToolHints.READS, function);
  }

  private static ToolResult waitForEver(Named input, ToolCall call) throws InterruptedException {
    waitForEver(input.name());
    throw new AssertionError(call);
  }

  private static void waitForEver(String name) throws InterruptedException {
    WAITING.add(name);
    try {
      new CountDownLatch(1).await();
    } finally {
      ENDED.add(name);
    }
  }

  @Command(name = "greet", description = "Greets somebody.")
  static final class GreetVerb implements Verb {
    @Parameters(paramLabel = "NAME")
    String name;

    @Override
    public Role role() {
      return Role.OPERATOR;
    }

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      var answer = session.call("greet", Json.object().put("name", name));
      session.out().json(answer);
      session.out().line(answer.path("greeting").asText());
      session.out().note("greeted");
    }
  }

  @Command(name = "wait", description = "Says so, and waits for ever.")
  static final class WaitVerb implements Verb {
    @Parameters String name;

    @Override
    public void run(VerbSession session) throws InterruptedException {
      session.out().line("waiting");
      waitForEver(name);
    }
  }

  @Command(name = "hold", description = "Calls a tool that waits for ever.")
  static final class HoldVerb implements Verb {
    @Parameters String name;

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      session.call("hold", Json.object().put("name", name));
    }
  }

  @Command(name = "list", description = "Lists what it is given, and who looks at it.")
  static final class ListVerb implements Verb {
    @Parameters(arity = "0..*")
    List<String> texts = List.of();

    @Override
    public void run(VerbSession session) {
      ArrayNode rows = Json.mapper().createArrayNode();
      for (String text : texts) {
        rows.addObject().put("name", text).put("length", text.length()).put("text", text + "|");
      }
      rows.addObject().put("name", session.caller().role().word());
      session.out().rows(List.of("name", "length", "text"), rows);
    }
  }

  @Command(name = "overflow", description = "Fails by an error of the machine.")
  static final class OverflowVerb implements Verb {
    @Override
    public void run(VerbSession session) {
      throw new StackOverflowError("secret");
    }
  }

  @Command(name = "unmade", description = "Can't be made.")
  static final class UnmadeVerb implements Verb {
    UnmadeVerb() {
      throw new IllegalStateException("secret");
    }

    @Override
    public void run(VerbSession session) {}
  }
}
