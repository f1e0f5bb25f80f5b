package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitTableTest {
  private static final long MIB = 1 << 20;
  private static final Setting<Integer> CLIENTS =
      Setting.number("clients", 1_000, 1, 1_000_000, "clients", "How many.");
  private static final Setting<Long> QUEUES =
      Setting.bytes("queues", null, 1, Long.MAX_VALUE, "How much.");
  private static final HeapShare QUARTER = HeapShare.ofOneService(250);

  private static Settings settings(Map<String, String> flags)
      throws Settings.InvalidSettingsException {
    return Settings.read(
        List.of(CLIENTS, QUEUES),
        new Settings.Given(Map.of(), "file", Map.of(), flags, Path.of(""), Path.of("")));
  }

  private static List<ResourceLimit> limits(Settings settings, HeapPlan plan) {
    long queues = settings.find(QUEUES).orElseGet(() -> plan.bytes(QUARTER));
    return List.of(
        ResourceLimit.count("clients", "clients", settings.get(CLIENTS), 100_000, "evicted")
            .by(CLIENTS),
        ResourceLimit.memory("queues", "queues", queues, queues, "dropped").by(QUEUES));
  }

  private static LimitTable fit(long heap, Map<String, String> flags)
      throws Settings.InvalidSettingsException {
    return LimitTable.fit(settings(flags), new HeapPlan(heap, 1), List.of(LimitTableTest::limits));
  }

  @Test
  void whatFitsStaysAsItIs() throws Exception {
    LimitTable table = fit(512 * MIB, Map.of());
    assertThat(table.settings().get(CLIENTS)).isEqualTo(1_000);
    assertThat(table.scaling()).isEmpty();
    assertThat(table.sum()).isEqualTo(1_000 * 100_000 + 512 * MIB / 1_000 * 250);
  }

  @Test
  void defaultsAreScaledToASmallerHeapAndItIsSaid() throws Exception {
    LimitTable table = fit(200 * MIB, Map.of());
    assertThat(table.sum()).isLessThanOrEqualTo(table.plan().available());
    assertThat(table.settings().get(CLIENTS)).isBetween(100, 999);
    assertThat(table.settings().source(CLIENTS)).isEqualTo(Settings.Source.SCALED);
    assertThat(table.scaling().orElseThrow())
        .contains("The heap of 200 MiB", "clients " + table.settings().get(CLIENTS), "-Xmx");
  }

  @Test
  void numbersThatWereSetAndDontFitAreRefusedWithTheSum() {
    assertThatThrownBy(() -> fit(200 * MIB, Map.of("clients", "2000")))
        .isInstanceOf(Settings.InvalidSettingsException.class)
        .hasMessageContaining("240.7 MiB")
        .hasMessageContaining("clients 190.7 MiB (set to 2000)")
        .hasMessageContaining("the heap of 200 MiB")
        .hasMessageContaining("raise -Xmx");
  }

  @Test
  void bytesThatWereSetAreKeptAndTheNumbersScaledForThem() throws Exception {
    LimitTable table = fit(512 * MIB, Map.of("queues", "300MiB"));
    assertThat(table.rows().getLast().heapBytes()).isEqualTo(300 * MIB);
    assertThat(table.settings().get(CLIENTS)).isLessThan(1_000);
    assertThatThrownBy(() -> fit(512 * MIB, Map.of("queues", "400MiB")))
        .isInstanceOf(Settings.InvalidSettingsException.class)
        .hasMessageContaining("queues 400 MiB (set to 400MiB)");
  }

  @Test
  void aHeapThatIsMuchTooSmallIsRefused() {
    assertThatThrownBy(() -> fit(80 * MIB, Map.of()))
        .isInstanceOf(Settings.InvalidSettingsException.class);
  }

  @Test
  void sharesOfServicesAreDividedAndOthersArent() {
    HeapPlan plan = new HeapPlan(1_000_000, 4);
    assertThat(plan.bytes(HeapShare.ofEachService(100))).isEqualTo(25_000);
    assertThat(plan.bytesOfAll(HeapShare.ofEachService(100))).isEqualTo(100_000);
    assertThat(plan.bytes(HeapShare.ofOneService(100))).isEqualTo(100_000);
  }

  @Test
  void bytesAreWrittenInTheLargestUnitThatFits() {
    assertThat(ResourceLimit.bytes(1_023)).isEqualTo("1 023 bytes");
    assertThat(ResourceLimit.bytes(64 * 1_024)).isEqualTo("64 KiB");
    assertThat(ResourceLimit.bytes(3 * MIB / 2)).isEqualTo("1.5 MiB");
  }
}
