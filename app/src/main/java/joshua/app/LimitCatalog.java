package joshua.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import joshua.conversation.BusLimits;
import joshua.conversation.redis.RedisLimits;
import joshua.fiedler.Fiedler;
import joshua.grace.Grace;
import joshua.grace.GraceLimits;
import joshua.kernel.HeapPlan;
import joshua.kernel.Json;
import joshua.kernel.LimitTable;
import joshua.kernel.ResourceLimit;
import joshua.kernel.Setting;
import joshua.kernel.Settings;
import joshua.network.http.ServerLimits;
import joshua.network.mcp.McpLimits;
import joshua.rogers.Rogers;
import joshua.rogers.RogersLimits;
import joshua.ssh.mina.SshLimits;
import joshua.state.StateLimits;
import joshua.tasks.worker.TaskLimits;

/** Every limit of the services of a process, collected from the parts that enforce them. */
final class LimitCatalog {
  /** The heap in configs/jvm.options. */
  private static final long USUAL_HEAP = 1_600L << 20;

  private LimitCatalog() {}

  /**
   * The limits of these services together in this process, or in one like it.
   *
   * @throws Settings.InvalidSettingsException if the heap is too small for the configured values
   */
  static LimitTable of(Settings settings, Collection<String> services)
      throws Settings.InvalidSettingsException {
    return of(settings, HeapPlan.ofThisProcess(services.size()), services);
  }

  /** The limits of the whole group with the heap of configs/jvm.options. */
  static LimitTable ofTheUsualHeap(Settings settings) throws Settings.InvalidSettingsException {
    return of(settings, new HeapPlan(USUAL_HEAP, MadWiring.all().size()), MadWiring.all().keySet());
  }

  /** The limits of the whole group, even if this heap is too small for them. */
  static LimitTable ofTheGroup(Settings settings) {
    Collection<String> services = MadWiring.all().keySet();
    return LimitTable.of(settings, HeapPlan.ofThisProcess(services.size()), owners(services));
  }

  private static LimitTable of(Settings settings, HeapPlan plan, Collection<String> services)
      throws Settings.InvalidSettingsException {
    return LimitTable.fit(settings, plan, owners(services));
  }

  private static List<LimitTable.Owner> owners(Collection<String> services) {
    List<LimitTable.Owner> owners = new ArrayList<>();
    owners.add(ServerLimits::list);
    owners.add((_, of) -> McpLimits.list(of));
    owners.add(BusLimits::list);
    owners.add((_, of) -> RedisLimits.list(of));
    if (services.contains(Grace.NAME)) {
      owners.add(GraceLimits::list);
    }
    int working =
        (int) services.stream().filter(List.of(Fiedler.NAME, Rogers.NAME)::contains).count();
    if (working > 0) {
      owners.add((in, of) -> TaskLimits.list(in, of, working));
      owners.add((_, _) -> StateLimits.list());
    }
    if (services.contains(Rogers.NAME)) {
      owners.add(RogersLimits::list);
    }
    owners.add((_, of) -> SshLimits.list(of));
    owners.add((_, _) -> List.of(LogRing.limit()));
    return owners;
  }

  static String markdown(LimitTable table) {
    StringBuilder page =
        new StringBuilder(
            """
            # Limits

            Every limit there is, for the whole group in one process with the heap of `configs/jvm.options`. This page is what
            `joshua config --limits --markdown` prints; without `--markdown` it prints the limits in force. Memory is the most that
            a limit may cost while it is used up, for all services together; where there is none, another limit counts it, or nothing
            is kept. %s

            Where the heap is smaller, defaults that are numbers are scaled down, which the start and `joshua doctor` say. Settings
            that don't fit it stop the start with exit status 2 and the sum. Alone in a process, as in a container, a service has
            the parts of the others, too.

            | limit | of | at most | setting | memory | beyond |
            |---|---|---|---|---|---|
            """
                .formatted(sum(table)));
    for (ResourceLimit row : table.rows()) {
      page.append(
          "| `%s` | %s | %s | %s | %s | %s |\n"
              .formatted(
                  row.id(),
                  row.bounds(),
                  row.most(),
                  row.setting().map(Setting::key).map("`%s`"::formatted).orElse(""),
                  row.heapBytes() == 0 ? "" : ResourceLimit.bytes(row.heapBytes()),
                  row.beyond()));
    }
    return page.toString();
  }

  static String text(LimitTable table) {
    StringBuilder page = new StringBuilder();
    for (ResourceLimit row : table.rows()) {
      page.append(
          "%s: at most %s  %s%s%n    then: %s%n"
              .formatted(
                  row.bounds(),
                  row.most(),
                  row.setting().map(setting -> "(" + setting.key() + ")").orElse(""),
                  row.heapBytes() == 0 ? "" : "  memory " + ResourceLimit.bytes(row.heapBytes()),
                  row.beyond()));
    }
    return page.append(sum(table)).append(System.lineSeparator()).toString();
  }

  static ObjectNode json(LimitTable table) {
    ObjectNode page = Json.object();
    page.put("heap_bytes", table.plan().heapBytes());
    page.put("available_bytes", table.plan().available());
    page.put("sum_bytes", table.sum());
    ArrayNode list = page.putArray("limits");
    for (ResourceLimit row : table.rows()) {
      list.addObject()
          .put("id", row.id())
          .put("bounds", row.bounds())
          .put("most", row.most())
          .put("setting", row.setting().map(Setting::key).orElse(null))
          .put("memory_bytes", row.heapBytes())
          .put("beyond", row.beyond());
    }
    return page;
  }

  private static String sum(LimitTable table) {
    return "All of them together may take %s; of the heap of %s, %s are for them."
        .formatted(
            ResourceLimit.bytes(table.sum()),
            ResourceLimit.bytes(table.plan().heapBytes()),
            ResourceLimit.bytes(table.plan().available()));
  }
}
