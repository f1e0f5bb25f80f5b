package joshua.fiedler;

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
 * How Fiedler understands questions without a language model: the commands of its DTR and the
 * threshold of its LPPM, whose phrasings are in a resource next to this class.
 */
final class FiedlerPhrasings {
  /** Chosen by cross-validation on the phrasings, so that hardly one in sixty is misread. */
  static final double THRESHOLD = 0.55;

  private static final String ID = "<id>";

  private static final List<Dtr.Form> FORMS =
      List.of(
          new Dtr.Form("tasks", "tasks", Map.of()),
          new Dtr.Form("my tasks", "tasks", Map.of("requester", "me")),
          new Dtr.Form("tasks <status>", "tasks", Map.of("status", "<status>")),
          new Dtr.Form(
              "my <status> tasks", "tasks", Map.of("requester", "me", "status", "<status>")),
          new Dtr.Form("tasks of <name>", "tasks", Map.of("requester", "<name>")),
          new Dtr.Form("last <count> tasks", "tasks", Map.of("limit", "<count>")),
          new Dtr.Form(ID, "task", Map.of("task_id", ID)),
          new Dtr.Form("task <id>", "task", Map.of("task_id", ID)),
          new Dtr.Form("status <id>", "task", Map.of("task_id", ID)),
          new Dtr.Form("result <id>", "task_result", Map.of("task_id", ID)),
          new Dtr.Form("why <id>", "failures", Map.of("task_id", ID)));

  private FiedlerPhrasings() {}

  static Dtr dtr(List<QuerySpec> whitelist) {
    return new Dtr(whitelist, FORMS);
  }

  static Lppm lppm(
      List<QuerySpec> whitelist,
      TextEmbedder textEmbedder,
      Supplier<Set<String>> participants,
      InstantSource clock,
      ZoneId zone) {
    return new Lppm(
        new Lppm.Lesson(FiedlerPhrasings.class, whitelist, THRESHOLD),
        textEmbedder,
        participants,
        clock,
        zone);
  }
}
