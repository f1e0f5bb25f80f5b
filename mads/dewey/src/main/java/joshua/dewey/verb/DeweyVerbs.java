package joshua.dewey.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.conversation.envelope.PayloadText;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.QueryVerb;
import joshua.ssh.TimeSpan;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs of Dewey. */
public final class DeweyVerbs {
  /** All of them, in the order in which people see them. */
  public static final List<Class<? extends Verb>> ALL =
      List.of(
          History.class,
          Conversation.class,
          Search.class,
          Trace.class,
          Mail.class,
          NotKept.class,
          Threads.class,
          ThreadShow.class,
          ThreadStatus.class,
          Wakes.class,
          WakeAgain.class);

  private DeweyVerbs() {}

  /** A verb that shows messages, oldest first. */
  abstract static class MessagesVerb implements Verb {
    @Option(names = "-n", paramLabel = "N", description = "How many messages, 500 at most.")
    private @Nullable Integer limit;

    @Option(names = "-v", description = "Show the ids of each message, too.")
    private boolean withIds;

    /** Calls a tool, and shows the messages that it answers. */
    final void show(VerbSession session, String tool, ObjectNode input)
        throws VerbFailedException, InterruptedException {
      input.put("limit", limit);
      ObjectNode answer = session.call(tool, input);
      session.out().json(answer);
      ArrayNode rows = Json.mapper().createArrayNode();
      answer.path("messages").forEach(message -> rows.add(row(message)));
      if (rows.isEmpty()) {
        session.out().line("Nothing is kept of that.");
      }
      List<String> columns =
          Stream.of("heard_at", "sender", "channel", "state", "ids", "text")
              .filter(column -> withIds || !column.equals("ids"))
              .toList();
      session.out().table(columns, rows);
      if (answer.has("before")) {
        session.out().line("There is more before these: -n shows it, or --until.");
      }
      if (answer.path("remaining").asInt() > 0) {
        session.out().line("%s more wait.".formatted(answer.path("remaining")));
      }
      answer.path("caveats").forEach(caveat -> session.out().sentence(caveat.asText()));
    }

    private static ObjectNode row(JsonNode message) {
      JsonNode envelope = message.path("envelope");
      String ids =
          Stream.of("message", "conversation", "correlation")
              .map(id -> id + " " + envelope.path(id + "_id").asText())
              .collect(Collectors.joining(" "));
      return Json.object()
          .put("heard_at", message.path("heard_at").asText())
          .put("sender", envelope.path("sender_id").asText())
          .put("channel", envelope.path("channel").asText())
          .put("state", message.path("state").asText("-"))
          .put("ids", ids)
          .put("text", PayloadText.of(envelope.path("payload")));
    }
  }

  @Command(
      name = "history",
      description = "Shows what was said on a channel, or by and to somebody, newest first.")
  static final class History extends MessagesVerb {
    @Parameters(paramLabel = "NAME|CHANNEL", description = "ann, or mad.topic.build.")
    private String of;

    @Mixin private TimeSpan span;

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      String key = of.startsWith("mad.") ? "channel" : "participant";
      show(session, "dewey_history", span.addTo(Json.object().put(key, of)));
    }
  }

  @Command(name = "conversation", description = "Shows the messages of a conversation, in order.")
  static final class Conversation extends MessagesVerb {
    @Parameters(paramLabel = "ID", description = "Its conversation_id.")
    private String id;

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      show(session, "dewey_history", Json.object().put("conversation_id", id));
    }
  }

  @Command(name = "search", description = "Finds messages by their words, newest first.")
  static final class Search implements Verb {
    @Parameters(arity = "1..*", paramLabel = "WORD", description = "All must be there.")
    private List<String> words;

    @Option(names = "--from", paramLabel = "NAME", description = "Only by or to this one.")
    private @Nullable String participant;

    @Option(names = "-n", paramLabel = "N", description = "How many messages, 100 at most.")
    private @Nullable Integer limit;

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      ObjectNode input = Json.object().put("text", String.join(" ", words)).put("limit", limit);
      ObjectNode answer = session.call("dewey_search", input.put("participant", participant));
      if (answer.path("hits").isEmpty()) {
        session.out().line("No message has these words.");
      }
      List<String> columns = List.of("heard_at", "sender_id", "channel", "message_id", "excerpt");
      session.out().answer(answer, "hits", columns);
    }
  }

  @Command(name = "trace", description = "Shows what became of a message.")
  static final class Trace implements Verb {
    @Parameters(paramLabel = "ID", description = "Its message_id.")
    private String id;

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      ObjectNode answer = session.call("dewey_trace", Json.object().put("message_id", id));
      session.out().answer(answer, "steps", List.of("state", "at", "by", "evidence"));
      session.out().sentence(answer.path("next").asText());
    }
  }

  @Command(name = "mail", description = "Shows for whom messages wait, or those of one.")
  static final class Mail extends MessagesVerb {
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Shows its messages.")
    private @Nullable String participant;

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      if (participant != null) {
        show(session, "dewey_mail", Json.object().put("client_id", participant));
      } else {
        ObjectNode answer = session.call("dewey_query", Json.object().put("name", "mail"));
        List<String> columns = List.of("recipient", "waiting", "oldest_at", "newest_at");
        session.out().answer(answer, "rows", columns);
      }
    }
  }

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
  static final class ThreadShow implements Verb {
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
  static final class ThreadStatus implements Verb {
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

  @Command(name = "wakes", description = "Shows who is woken, and what came of it.")
  static final class Wakes extends QueryVerb {
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Only this one.")
    @Nullable String participant;

    Wakes() {
      super("wakes", "created_at", "participant", "state", "tries", "due_at", "reason");
    }
  }

  @Command(name = "wake-again", description = "Wakes somebody whose wakes failed or are paused.")
  static final class WakeAgain implements Verb {
    @Parameters(paramLabel = "NAME", description = "Whom.")
    private String participant;

    @Override
    public Role role() {
      return Role.OPERATOR;
    }

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      ObjectNode input = Json.object().put("participant", participant);
      session.out().json(session.call("dewey_wake_again", input));
      session.out().line("%s is woken again.".formatted(participant));
    }
  }

  @Command(name = "not-kept", description = "Shows when what was said wasn't kept, and why.")
  static final class NotKept extends QueryVerb {
    NotKept() {
      super("not_kept", "since_at", "until_at", "messages", "reason");
    }
  }
}
