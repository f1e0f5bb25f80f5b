package joshua.dewey.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.conversation.envelope.PayloadText;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs for threads. */
final class ThreadVerbs {
  private ThreadVerbs() {}

  @Command(name = "threads", description = "Lists threads, or those of one, updated last first.")
  static final class Threads implements Verb {
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Whose.")
    private @Nullable String participant;

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      ObjectNode answer =
          session.call("dewey_threads", Json.object().put("client_id", participant));
      if (answer.path("threads").isEmpty()) {
        session.out().line("There is no thread.");
      }
      session
          .out()
          .answer(
              answer,
              "threads",
              List.of("updated_at", "status", "last_seq", "thread_id", "members", "title"));
    }
  }

  @Command(name = "thread", description = "Shows a thread, and who has read how far.")
  static final class Show implements Verb {
    @Parameters(paramLabel = "ID", description = "Its thread_id.")
    private String id;

    @Option(names = "--after", paramLabel = "N", description = "Only posts behind number N.")
    private @Nullable Integer after;

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      ObjectNode input = Json.object().put("client_id", session.person()).put("thread_id", id);
      ObjectNode answer = session.call("dewey_read_thread", input.put("after_seq", after));
      session.out().json(answer);
      JsonNode thread = answer.path("thread");
      session
          .out()
          .line("%s: %s".formatted(thread.path("status").asText(), thread.path("title").asText()));
      List<String> columns = List.of("name", "coordinator", "read_seq", "unread");
      session.out().table(columns, answer.path("members"));
      ArrayNode rows = Json.mapper().createArrayNode();
      for (JsonNode post : answer.path("posts")) {
        rows.addObject()
            .put("seq", post.path("seq").asLong())
            .put("posted_at", post.path("posted_at").asText())
            .put("sender", post.path("sender_id").asText())
            .put("kind", post.path("kind").asText())
            .put("text", PayloadText.of(post.path("body")));
      }
      session.out().table(List.of("seq", "posted_at", "sender", "kind", "text"), rows);
      if (answer.path("remaining").asLong() > 0) {
        session.out().line("There are more: --after %s.".formatted(answer.path("next_seq")));
      }
    }
  }

  @Command(name = "thread-status", description = "Sets the status of a thread.")
  static final class Status implements Verb {
    @Parameters(index = "0", paramLabel = "ID", description = "Its thread_id.")
    private String id;

    @Parameters(
        index = "1",
        paramLabel = "STATUS",
        description = "active, blocked, resolved, or closed, for ever.")
    private String status;

    @Parameters(index = "2..*", paramLabel = "REASON", description = "For its members.")
    private List<String> reason = List.of();

    @Option(names = "--override", description = "Closes also a blocked one; needs a reason.")
    private boolean override;

    @Override
    public Role role() {
      return Role.OPERATOR;
    }

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      ObjectNode input =
          Json.object()
              .put("client_id", session.person())
              .put("thread_id", id)
              .put("thread_status", status)
              .put("reason", String.join(" ", reason))
              .put("override", override);
      ObjectNode answer = session.call("dewey_thread_status", input);
      session.out().json(answer);
      session.out().line("The thread is %s.".formatted(answer.path("thread_status").asText()));
    }
  }
}
