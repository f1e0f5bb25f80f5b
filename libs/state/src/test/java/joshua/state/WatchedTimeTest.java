package joshua.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedTimeTest {
  @TempDir Path directory;
  @AutoClose private Database database;

  @BeforeEach
  void open() throws Exception {
    database =
        Database.open(directory.resolve("test.db"), WatchedTime.MIGRATIONS, InstantSource.system());
    write(tx -> WatchedTime.start(tx, at("10:00:00"), "Dewey wasn't running"));
  }

  private static Instant at(String time) {
    return Instant.parse("2026-11-29T" + time + "Z");
  }

  private void write(Consumer<Transaction> writing) {
    database.write(tx -> {
      writing.accept(tx);
      return true;
    });
  }

  /** The caveats of a span, without the day. */
  private List<String> caveats(@Nullable String since, @Nullable String until) {
    return database
        .read(tx ->
            WatchedTime.caveats(
                tx,
                since == null ? null : at(since),
                until == null ? null : at(until),
                "Dewey",
                "keeping"))
        .stream()
        .map(caveat -> caveat.replace("2026-11-29T", ""))
        .toList();
  }

  @Test
  void theTimeBeforeTheFirstStartIsntKnown() {
    String caveat = "Dewey knows nothing of before 10:00:00.000Z.";
    assertThat(caveats("09:59:59", null)).containsExactly(caveat);
    assertThat(caveats(null, "09:00:00")).containsExactly(caveat);
    assertThat(caveats("10:00:00", null)).isEmpty();
    assertThat(caveats(null, null)).isEmpty();
  }

  @Test
  void theTimeBetweenTwoRunsIsAGap() {
    write(tx -> WatchedTime.watchedUntil(tx, at("10:30:00")));
    write(tx -> WatchedTime.start(tx, at("10:40:00.0001"), "Dewey wasn't running"));
    String caveat =
        "Dewey wasn't keeping from 10:30:00.000Z to 10:40:00.001Z (Dewey wasn't running).";
    assertThat(caveats(null, null)).containsExactly(caveat);
    assertThat(caveats("10:40:00", "10:41:00")).as("to its end").containsExactly(caveat);
    assertThat(caveats("10:40:00.001", "10:41:00")).isEmpty();
    assertThat(caveats("10:00:00", "10:30:00")).isEmpty();
    assertThat(database.read(WatchedTime::since)).isEqualTo(at("10:00:00"));
  }

  @Test
  void aGapLastsUntilItsEndOrTheNextStart() {
    write(tx -> WatchedTime.begin(tx, at("10:10:00"), "broken"));
    write(tx -> WatchedTime.begin(tx, at("10:12:00"), "stopped"));
    assertThat(caveats("11:00:00", null))
        .containsExactly("Dewey hasn't been keeping since 10:10:00.000Z (broken).");
    write(tx -> WatchedTime.end(tx, at("10:10:00"), at("10:20:00"), "broken"));
    write(tx -> WatchedTime.end(tx, at("10:25:00"), at("10:26:00"), "whose beginning got lost"));
    write(tx -> WatchedTime.begin(tx, at("10:50:00"), "stopped"));
    write(tx -> WatchedTime.start(tx, at("10:55:00"), "Dewey wasn't running"));
    assertThat(caveats("10:00:00", null))
        .containsExactly(
            "Dewey wasn't keeping 3 times in that time, the last from 10:50:00.000Z to"
                + " 10:55:00.000Z (stopped).");
    assertThat(caveats("10:20:00", "10:30:00"))
        .containsExactly(
            "Dewey wasn't keeping from 10:25:00.000Z to 10:26:00.000Z (whose beginning got lost).");
  }

  @Test
  void whatIsForgottenIsntKnown() {
    write(tx -> WatchedTime.end(tx, at("10:10:00"), at("10:20:00"), "broken"));
    write(tx -> WatchedTime.forgetBefore(tx, at("10:20:00")));
    write(tx -> WatchedTime.forgetBefore(tx, at("10:05:00")));
    assertThat(caveats("10:00:00", null))
        .containsExactly("Dewey knows nothing of before 10:20:00.000Z.");
  }
}
