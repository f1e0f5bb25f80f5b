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

/** The tables of incidents, services' problems, and subscriptions of relays' clients. */
public final class IncidentStore {
  public static final List<Migration> MIGRATIONS =
      Migration.load(IncidentStore.class, "0001-incidents.sql", "0002-service-problems.sql");

  private static final Duration MERGE_WINDOW = Duration.ofSeconds(10);
  private static final Duration RETENTION = Duration.ofDays(30);
  private static final int MAX_INCIDENTS = 200_000;
  private static final int MAX_PROBLEMS = 20;
  private static final int MAX_LINE_LENGTH = 1_000;

  private IncidentStore() {}

  /** Stores incidents, and returns the new ones; one that recurs soon extends the stored one. */
  public static List<Incident> write(Transaction tx, List<Incident> incidents, Instant now) {
    List<Incident> created = new ArrayList<>();
    for (Incident each : incidents) {
      boolean isLasting = each.kind() == Incident.Kind.STORM || each.kind() == Incident.Kind.LOOP;
      Instant last = isLasting ? now : each.at();
      int extended =
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
              last.minus(MERGE_WINDOW));
      if (extended == 0) {
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
        created.add(each);
      }
    }
    return created;
  }

  /** Replaces the subscriptions of relays' clients, if a relay has reported after {@code since}. */
  public static void replaceSubscriptions(
      Transaction tx, Collection<Report> relays, Instant since) {
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

  /** Replaces the problems of an instance of a service by those that it reports. */
  public static void replaceProblems(Transaction tx, Envelope report, Instant now) {
    String service = report.senderId();
    String instance = report.payload().path("instance").asText();
    tx.update("delete from service_problems where mad_id = ? and instance = ?", service, instance);
    for (JsonNode each :
        report.payload().path("problems").valueStream().limit(MAX_PROBLEMS).toList()) {
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

  /** A foreign text as a line, without control characters that could steer a terminal. */
  private static String line(JsonNode text) {
    return UnicodeText.truncate(text.asText().replaceAll("\\p{C}", " "), MAX_LINE_LENGTH);
  }

  /** Deletes all problems of services, which report them again when Rogers joins. */
  public static void clearProblems(Transaction tx) {
    tx.update("delete from service_problems");
  }

  /** Deletes expired rows. */
  public static void prune(Transaction tx, Instant now) {
    tx.update(
        """
        delete from incidents where incident_id in
          (select incident_id from incidents where last_at < ?1
            or incident_id <= (select max(incident_id) from incidents) - ?2
          order by incident_id limit 50000)
        """,
        now.minus(RETENTION),
        MAX_INCIDENTS);
    tx.update("delete from subscriptions where at < ?", now.minus(Duration.ofMinutes(1)));
    tx.update(
        """
        delete from service_problems where mad_id not in
          (select mad_id from connections where status <> 'DISCONNECTED')
        """);
  }
}
