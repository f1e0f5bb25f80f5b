package joshua.rogers;

import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import joshua.thought.QuerySpec;
import joshua.thought.reading.Dtr;
import joshua.thought.reading.Lppm;
import joshua.thought.reading.TextEmbedder;

/**
 * How Rogers understands questions without a language model: the commands of its DTR and the
 * threshold of its LPPM, whose phrasings are in a resource next to this class.
 */
final class RogersPhrasings {
  /** Chosen so that at most one measured question in a hundred is answered wrongly. */
  static final double THRESHOLD = 0.50;

  private static final String ID = "<id>";
  private static final String NAME = "<name>";
  private static final String COUNT = "<count>";

  private static final List<Dtr.Form> FORMS =
      List.of(
          new Dtr.Form("who", "connections", Map.of()),
          new Dtr.Form("status", "connections", Map.of()),
          new Dtr.Form("healthy", "connections", Map.of("status", "HEALTHY")),
          new Dtr.Form("stale", "connections", Map.of("status", "STALE")),
          new Dtr.Form("disconnected", "connections", Map.of("status", "DISCONNECTED")),
          // Known names only: "who is there?" and "who is healthy?" name no participant.
          new Dtr.Form(
              "who is <participant>", "connections", Map.of("participant", "<participant>")),
          new Dtr.Form("status of <name>", "connections", Map.of("participant", NAME)),
          new Dtr.Form("changes of <name>", "changes", Map.of("participant", NAME)),
          new Dtr.Form("last <count> changes", "changes", Map.of("limit", COUNT)),
          new Dtr.Form("top", "senders", Map.of()),
          new Dtr.Form("top <count>", "senders", Map.of("limit", COUNT)),
          new Dtr.Form("messages of <name>", "messages", Map.of("participant", NAME)),
          new Dtr.Form("stats", "hours", Map.of()),
          new Dtr.Form("stats of <name>", "hours", Map.of("participant", NAME)),
          new Dtr.Form("losses", "losses", Map.of()),
          new Dtr.Form("lost", "losses", Map.of()),
          new Dtr.Form("dead letters", "dead_letters", Map.of()),
          new Dtr.Form("storms", "alarms", Map.of("kind", "storm")),
          new Dtr.Form("loops", "alarms", Map.of("kind", "loop")),
          new Dtr.Form("not seen", "not_seen", Map.of()),
          new Dtr.Form("version", "service", Map.of()),
          new Dtr.Form("my tasks", "tasks", Map.of("requester", "me")),
          new Dtr.Form("tasks <status>", "tasks", Map.of("status", "<status>")),
          new Dtr.Form("tasks of <name>", "tasks", Map.of("requester", NAME)),
          new Dtr.Form("last <count> tasks", "tasks", Map.of("limit", COUNT)),
          new Dtr.Form(ID, "task", Map.of("task_id", ID)),
          new Dtr.Form("task <id>", "task", Map.of("task_id", ID)));

  private RogersPhrasings() {}

  static Dtr dtr(List<QuerySpec> whitelist, Supplier<Set<String>> participants) {
    return new Dtr(whitelist, FORMS, participants);
  }

  static Lppm lppm(
      List<QuerySpec> whitelist,
      TextEmbedder textEmbedder,
      Supplier<Set<String>> participants,
      InstantSource clock,
      ZoneId zone) {
    return new Lppm(
        new Lppm.Lesson(RogersPhrasings.class, whitelist, THRESHOLD),
        textEmbedder,
        participants,
        clock,
        zone);
  }
}
