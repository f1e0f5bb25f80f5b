package joshua.network;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import joshua.kernel.ErrorCode;

/**
 * The metrics of calls: {@code joshua.tool.calls}, a timer by tool and outcome, where the outcome
 * is {@code success}, {@code cancelled} or an error code. All are made at the start, so the set of
 * names is bounded whatever peers ask for.
 */
final class CallMeters {
  static final String SUCCESS = "success";
  static final String CANCELLED = "cancelled";

  /** Stands for calls that never reached a tool: of unknown ones, malformed ones, too many. */
  private static final String NO_TOOL = "?";

  private final Map<String, Map<String, Timer>> timers = new HashMap<>();

  CallMeters(Collection<String> tools, MeterRegistry meters) {
    tools.forEach(tool -> timers.put(tool, outcomes(tool, meters)));
    timers.put(NO_TOOL, outcomes(NO_TOOL, meters));
  }

  void record(String tool, String outcome, long nanos) {
    Map<String, Timer> outcomes = timers.getOrDefault(tool, Map.of());
    Timer timer = outcomes.get(outcome);
    if (timer != null) {
      timer.record(Duration.ofNanos(nanos));
    }
  }

  void refusedBeforeAnyTool(ErrorCode code) {
    record(NO_TOOL, code.wireName(), 0);
  }

  private static Map<String, Timer> outcomes(String tool, MeterRegistry meters) {
    Map<String, Timer> outcomes = new HashMap<>();
    outcomes.put(SUCCESS, timer(tool, SUCCESS, meters));
    outcomes.put(CANCELLED, timer(tool, CANCELLED, meters));
    for (ErrorCode code : ErrorCode.values()) {
      outcomes.put(code.wireName(), timer(tool, code.wireName(), meters));
    }
    return outcomes;
  }

  private static Timer timer(String tool, String outcome, MeterRegistry meters) {
    return Timer.builder("joshua.tool.calls")
        .description("Calls of tools, from arrival to answer")
        .tag("tool", tool)
        .tag("outcome", outcome)
        .register(meters);
  }
}
