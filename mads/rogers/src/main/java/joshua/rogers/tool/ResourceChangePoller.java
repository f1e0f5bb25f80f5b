package joshua.rogers.tool;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import joshua.kernel.TimedWait;
import joshua.network.mcp.ChangeWatchers;
import joshua.rogers.journal.JournalExchanges;
import joshua.rogers.store.NamedSql;
import joshua.state.Database;
import joshua.state.StatementRefusedException;
import joshua.state.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the watchers of a resource that it has changed: once a second it checks whether what is
 * watched has changed in the tables. A resource that wasn't watched at the last check counts as
 * changed: it may have changed between a client's last read and its watch.
 */
public final class ResourceChangePoller implements AutoCloseable {
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Logger log = LoggerFactory.getLogger(ResourceChangePoller.class);

  private static final NamedSql STATES =
      NamedSql.of(
          """
          select (select max(event_id) from connection_events) as changes,
                 (select max(status_since) from connections) as latest
          """);
  private static final NamedSql COUNTS = NamedSql.of("select messages from watermark");

  private final Database database;
  private final JournalExchanges journalExchanges;
  private final TimedWait timedWait;
  private final ChangeWatchers changeWatchers;
  private final Thread thread = Thread.ofVirtual().name("rogers-bell").unstarted(this::run);

  /** The newest message at the last check. For the poller's thread alone. */
  private long looked = -1;

  /** Each resource's state at the last check. For the poller's thread alone. */
  private Map<String, String> before = new HashMap<>();

  public ResourceChangePoller(
      ChangeWatchers changeWatchers,
      Database database,
      JournalExchanges journalExchanges,
      TimedWait timedWait) {
    this.changeWatchers = changeWatchers;
    this.database = database;
    this.journalExchanges = journalExchanges;
    this.timedWait = timedWait;
  }

  public ResourceChangePoller start() {
    thread.start();
    return this;
  }

  private void run() {
    try {
      while (true) {
        timedWait.pause(EVERY);
        look();
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private void look() throws InterruptedException {
    Map<String, String> now = new HashMap<>();
    try {
      long newest = journalExchanges.newest();
      Set<UUID> changed =
          looked < 0 || looked == newest ? Set.of() : journalExchanges.changedSince(looked);
      for (String uri : changeWatchers.watched()) {
        String last = before.get(uri);
        String state = last != null && isUnchanged(uri, changed) ? last : state(uri);
        now.put(uri, state);
        if (!state.equals(last)) {
          changeWatchers.changed(uri);
        }
      }
      before = now;
      looked = newest;
    } catch (StoreUnavailableException | StatementRefusedException e) {
      log.warn(
          "who watches a resource isn't notified until the database answers: {}", e.getMessage());
    }
  }

  /** Whether it is an exchange to which nothing was added: most are, however many are watched. */
  private static boolean isUnchanged(String uri, Set<UUID> changed) {
    return uri.startsWith(BusResources.CONVERSATION)
        && !changed.contains(BusResources.WatchedExchange.of(uri).id());
  }

  /** A value that differs whenever the resource does. */
  private String state(String uri) throws StoreUnavailableException, InterruptedException {
    return switch (uri) {
      case BusResources.CONNECTIONS -> STATES.rows(database, ResourceChangePoller::none).toString();
      case BusResources.STATS -> COUNTS.rows(database, ResourceChangePoller::none).toString();
      default -> {
        BusResources.WatchedExchange watched = BusResources.WatchedExchange.of(uri);
        yield String.valueOf(
            journalExchanges.newest(
                JournalExchanges.By.CONVERSATION, watched.id(), watched.sight()));
      }
    };
  }

  private static @Nullable Object none(String parameter) {
    return null;
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
