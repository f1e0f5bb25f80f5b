package joshua.rogers.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Timestamps;
import joshua.state.Database;
import joshua.state.query.NamedQueries;
import joshua.state.query.NamedQuery;
import org.jspecify.annotations.Nullable;

/** Says of an answer about a time that Rogers wasn't watching in it, where that is so. */
public final class NotSeen implements NamedQueries.Caveats {
  private final Database database;

  public NotSeen(Database database) {
    this.database = database;
  }

  private record Span(Instant since, @Nullable Instant until, String reason, long spans) {}

  @Override
  public List<String> of(NamedQuery query, ObjectNode arguments) {
    if (query.argument("since").isEmpty() && query.argument("at").isEmpty()) {
      return List.of();
    }
    Instant at = time(arguments, "at");
    Instant since = at == null ? time(arguments, "since") : at;
    Instant until = at == null ? time(arguments, "until") : at.plusMillis(1);
    return of(since, until);
  }

  private static @Nullable Instant time(ObjectNode arguments, String name) {
    return Timestamps.parse(arguments.path(name).asText());
  }

  /** Sentences about a time; null for one that isn't bounded. */
  List<String> of(@Nullable Instant since, @Nullable Instant until) {
    return database.read(tx -> {
      List<String> sentences = new ArrayList<>();
      long begin = tx.number("select counted_since_at from watermark");
      if (since != null && since.toEpochMilli() < begin) {
        String time = Timestamps.format(Instant.ofEpochMilli(begin));
        sentences.add("Rogers knows nothing of before %s.".formatted(time));
      }
      tx.row(
              Span.class,
              """
              select since_at, until_at, reason, count(*) over () from not_seen
              where (?1 is null or until_at is null or until_at > ?1)
                and (?2 is null or since_at < ?2)
              order by since_at desc limit 1
              """,
              since,
              until)
          .ifPresent(span -> sentences.add(sentence(span)));
      return sentences;
    });
  }

  private static String sentence(Span span) {
    String from = Timestamps.format(span.since());
    String times =
        span.spans() == 1 ? "" : "%d times in that time, the last ".formatted(span.spans());
    return span.until() == null
        ? "Rogers hasn't been watching %ssince %s (%s).".formatted(times, from, span.reason())
        : "Rogers wasn't watching %sfrom %s to %s (%s)."
            .formatted(times, from, Timestamps.format(span.until()), span.reason());
  }
}
