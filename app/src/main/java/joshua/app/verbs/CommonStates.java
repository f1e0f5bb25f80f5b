package joshua.app.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import joshua.conversation.ConversationBus;
import joshua.kernel.Json;
import joshua.ssh.StateView;

/** The parts of the state that every MAD has. */
public final class CommonStates {
  private CommonStates() {}

  /** Those of a MAD on this bus. */
  public static List<StateView> of(ConversationBus bus) {
    return List.of(
        new StateView("bus", "its connection to the bus", () -> bus(bus)),
        new StateView("memory", "what this process holds in memory", CommonStates::memory),
        new StateView(
            "threads",
            "this process' platform threads; virtual ones can't be listed",
            CommonStates::threads));
  }

  private static JsonNode bus(ConversationBus bus) {
    return Json.object()
        .put("redis", bus.address())
        .put("usable", bus.isUsable())
        .put("participant", bus.self().name())
        .put("instance_id", bus.self().instance())
        .put("joined_at", bus.self().startedAt().toString());
  }

  private static JsonNode memory() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    MemoryUsage other = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
    return Json.object()
        .put("heap_used_bytes", heap.getUsed())
        .put("heap_committed_bytes", heap.getCommitted())
        .put("heap_max_bytes", heap.getMax())
        .put("other_used_bytes", other.getUsed());
  }

  private static JsonNode threads() {
    ArrayNode list = Json.object().putArray("threads");
    ThreadInfo[] threads = ManagementFactory.getThreadMXBean().dumpAllThreads(false, false, 1);
    Arrays.stream(threads)
        .sorted(Comparator.comparing(ThreadInfo::getThreadName))
        .forEach(thread ->
            list.addObject()
                .put("name", thread.getThreadName())
                .put("state", thread.getThreadState().name())
                .put(
                    "at",
                    thread.getStackTrace().length == 0
                        ? null
                        : thread.getStackTrace()[0].toString()));
    return list;
  }
}
