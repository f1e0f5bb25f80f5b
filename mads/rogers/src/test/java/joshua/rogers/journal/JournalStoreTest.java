package joshua.rogers.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import joshua.rogers.RogersQueryFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The journal's holes on real SQLite: few rows, however long a flood lasts. */
class JournalStoreTest {
  private static final long NOW = RogersQueryFixture.NOW.toEpochMilli();

  private final RogersQueryFixture fixture = new RogersQueryFixture();
  private final JournalStore store = new JournalStore(fixture.database());

  JournalStoreTest() throws Exception {}

  @AfterEach
  void close() {
    fixture.close();
  }

  private void hole(long since, long until, String reason, @Nullable Long messages)
      throws Exception {
    store.add(
        List.of(), List.of(new JournalStore.Hole(NOW + since, NOW + until, reason, messages)));
  }

  private List<String> holes() throws Exception {
    return fixture
        .database()
        .read(connection -> {
          List<String> rows = new ArrayList<>();
          try (PreparedStatement select =
                  connection.prepareStatement(
                      "select since, until, reason, messages from journal_gaps order by gap_id");
              ResultSet row = select.executeQuery()) {
            while (row.next()) {
              rows.add(
                  "%s-%s %s %s"
                      .formatted(
                          row.getString(1).substring(17, 23),
                          row.getString(2).substring(17, 23),
                          row.getString(3),
                          row.getString(4)));
            }
          }
          return rows;
        });
  }

  @Test
  void holesThatAdjoinAreOneAlsoWhenTwoReasonsTakeTurns() throws Exception {
    for (int i = 0; i < 100; i++) {
      hole(i * 50, i * 50 + 40, "fast", 7L);
      hole(i * 50 + 41, i * 50 + 49, "trouble", 1L);
    }
    assertThat(holes()).containsExactly("00.000-04.990 fast 700", "00.041-04.999 trouble 100");
  }

  @Test
  void holesThatAreApartOrOfUnknownSizeStandAlone() throws Exception {
    hole(0, 10, "fast", 7L);
    hole(1_011, 1_020, "fast", 1L);
    hole(2_020, 2_030, "fast", 1L);
    hole(2_040, 2_050, "stopped", null);
    hole(2_050, 2_060, "stopped", 2L);
    hole(2_060, 2_070, "stopped", null);
    assertThat(holes())
        .containsExactly(
            "00.000-00.010 fast 7",
            "01.011-02.030 fast 2",
            "02.040-02.050 stopped null",
            "02.050-02.060 stopped 2",
            "02.060-02.070 stopped null");
  }
}
