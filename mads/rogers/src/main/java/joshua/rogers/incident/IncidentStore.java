package joshua.rogers.incident;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import joshua.conversation.RelayReports.Report;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.Timestamps;
import joshua.kernel.UnicodeText;
import joshua.state.Migration;
import joshua.state.Transaction;

/** Stores incidents, and what relays' clients follow; each method is a job, or a part of one. */
public final class IncidentStore {
  public static final List<Migration> MIGRATIONS =
      Migration.load(IncidentStore.class, "0001-incidents.sql", "0002-service-problems.sql");

  private static final Duration GOES_ON = Duration.ofSeconds(10);
  private static final Duration RETENTION = Duration.ofDays(30);
  private static final int MOST = 200_000;
  private static final int MOST_PROBLEMS = 20;
  private static final int LONGEST_LINE = 1_000;

  private IncidentStore() {}

  /**
   * Stores incidents, and says which of them are new: one that goes on within some seconds is the
   * same.
   */
  public static List<Incident> write(Transaction tx, List<Incident> incidents, Instant now) {
    List<Incident> begun = new ArrayList<>();
    for (Incident each : incidents) {
      boolean isSpan = each.kind() == Incident.Kind.STORM || each.kind() == Incident.Kind.LOOP;
      Instant last = isSpan ? now : each.at();
      int goesOn =
          tx.update(
              """
              update incidents set last_at = ?, messages = messages + ? where incident_id = (
                select max(incident_id) from incidents
                where kind = ? and subject = ? and detail = ? and last_at >= ?)
              """,
              last,
              each.messages(),
              each.kind().word(),
              each.subject(),
              each.detail(),
              last.minus(GOES_ON));
      if (goesOn == 0) {
        tx.update(
            """
            insert into incidents (at, last_at, kind, subject, messages, detail, is_problem, head)
            values (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            each.at(),
            last,
            each.kind().word(),
            each.subject(),
            each.messages(),
            each.detail(),
            each.isProblem(),
            each.head());
        begun.add(each);
      }
    }
    return begun;
  }

  /** Stores what the clients of relays follow, if one has said so since then. */
  public static void follow(Transaction tx, Collection<Report> relays, Instant since) {
    if (relays.stream().noneMatch(relay -> relay.at().isAfter(since))) {
      return;
    }
    tx.update("delete from subscriptions");
    for (Report each : relays) {
      each.patterns()
          .forEach((pattern, clients) ->
              tx.update(
                  """
                  insert into subscriptions values (?, ?, ?, ?)
                  on conflict do update set clients = clients + excluded.clients, at = excluded.at
                  """,
                  each.relay(),
                  pattern,
                  clients,
                  each.at()));
    }
  }

  /** Replaces what an instance of a service says is wrong with it. */
  public static void report(Transaction tx, Envelope said, Instant now) {
    String service = said.senderId();
    String instance = said.payload().path("instance").asText();
    tx.update("delete from service_problems where mad_id = ? and instance = ?", service, instance);
    for (JsonNode each :
        said.payload().path("problems").valueStream().limit(MOST_PROBLEMS).toList()) {
      Instant since = Timestamps.parse(each.path("at").asText());
      tx.update(
          "insert into service_problems values (?, ?, ?, ?, ?)",
          service,
          instance,
          line(each.path("what")),
          since == null || since.isAfter(now) ? now : since,
          line(each.path("detail")));
    }
  }

  /** A text of somebody else, without characters that steer a terminal. */
  private static String line(JsonNode text) {
    return UnicodeText.truncate(text.asText().replaceAll("\\p{C}", " "), LONGEST_LINE);
  }

  /** Forgets what services said; they say it again to whoever joins. */
  public static void begin(Transaction tx) {
    tx.update("delete from service_problems");
  }

  /** Deletes what is too old. */
  public static void prune(Transaction tx, Instant now) {
    tx.update(
        """
        delete from incidents where incident_id in
          (select incident_id from incidents where last_at < ?1
            or incident_id <= (select max(incident_id) from incidents) - ?2
          order by incident_id limit 50000)
        """,
        now.minus(RETENTION),
        MOST);
    tx.update("delete from subscriptions where at < ?", now.minus(Duration.ofMinutes(1)));
    tx.update(
        """
        delete from service_problems where mad_id not in
          (select mad_id from connections where status <> 'DISCONNECTED')
        """);
  }
}
