package joshua.network.http;

import static joshua.kernel.ResourceLimit.count;
import static joshua.kernel.ResourceLimit.measure;
import static joshua.kernel.ResourceLimit.memory;
import static joshua.kernel.ResourceLimit.size;

import java.util.List;
import java.util.stream.Stream;
import joshua.kernel.HeapPlan;
import joshua.kernel.HeapShare;
import joshua.kernel.KnownSettings;
import joshua.kernel.ResourceLimit;
import joshua.kernel.Settings;
import joshua.kernel.TreeCost;
import joshua.network.FrameSession;
import joshua.network.MessageBudget;
import joshua.network.TokenFile;

/** The limits on what clients may take of each service's listener (+JN-03). */
public final class ServerLimits {
  /** Of the heap, for the connections of all services. */
  private static final HeapShare CONNECTIONS = HeapShare.ofEachService(100);

  /** An idle WebSocket; an idle HTTP connection takes half of it (measured: 10.2 and 4.5 KiB). */
  private static final long OF_A_CONNECTION = 10_752;

  private static final long OF_A_SESSION = 700;

  private ServerLimits() {}

  /** How many connections one service may have by its part of the heap. */
  public static int connections(HeapPlan plan) {
    return Math.clamp(plan.bytes(CONNECTIONS) / OF_A_CONNECTION, 1, ToolServer.MAX_CONNECTIONS);
  }

  /** The limits under these settings and this heap. */
  public static List<ResourceLimit> list(Settings settings, HeapPlan plan) {
    return Stream.of(connectionRows(plan), messageRows(settings, plan), callRows(plan))
        .flatMap(List::stream)
        .toList();
  }

  private static List<ResourceLimit> connectionRows(HeapPlan plan) {
    ConnectionLimits limits = ConnectionLimits.of(connections(plan));
    return List.of(
        count(
            "http.connections",
            "TCP connections of a service; fewer where the process may not open so many files",
            limits.all(),
            plan.services() * OF_A_CONNECTION,
            "the one that is idle for longest goes; if there is none, the new one is refused: 503"),
        count(
            "http.connections-of-an-address",
            "TCP connections of one address",
            limits.ofAddress(),
            0,
            "as above, among those of the address"),
        count(
            "http.unfinished",
            "connections whose request's head isn't whole",
            limits.unfinished(),
            0,
            "the oldest ends with 408"),
        measure(
            "http.head-time",
            "the head of a request",
            ConnectionLimits.HEAD.toSeconds() + " s",
            "408"),
        size("http.head", "the head of a request", HttpErrors.HEAD_LIMIT, "431 or 414"),
        count(
            "http.sockets",
            "WebSockets of a service",
            limits.sockets(),
            0,
            "the upgrade is refused: 503"));
  }

  private static List<ResourceLimit> messageRows(Settings settings, HeapPlan plan) {
    return List.of(
        size(
                "http.frame",
                "a WebSocket message, and a body",
                settings.get(KnownSettings.FRAME_LIMIT),
                "the socket is closed with 1009; 413")
            .by(KnownSettings.FRAME_LIMIT),
        count(
                "http.rate",
                "calls a second of a connection, twice as many in a burst",
                settings.get(KnownSettings.RATE_LIMIT),
                0,
                "`rate_limited` with `retry_after_ms`")
            .by(KnownSettings.RATE_LIMIT),
        size(
            "http.tree",
            "the memory that a message takes once it is parsed",
            TreeCost.MESSAGE_LIMIT,
            "`too_large`; on the bus a dead letter"),
        memory(
            "http.small-messages",
            "messages under way that take up to 64 KiB, of all services",
            MessageBudget.smallBytes(plan),
            MessageBudget.smallBytes(plan),
            "`overloaded`"),
        memory(
            "http.large-messages",
            "larger messages under way, of all services",
            MessageBudget.largeBytes(plan),
            MessageBudget.largeBytes(plan),
            "`overloaded`"),
        memory(
            "http.bodies",
            "bodies that come and answers that go, of all services",
            plan.bytes(TransferBudget.SHARE),
            plan.bytesOfAll(TransferBudget.SHARE),
            "whoever hasn't moved for 2 s is cut off: 408; 503 if there is none"),
        memory(
            "http.socket-bytes",
            "what WebSockets don't finish or don't read, of all services",
            plan.bytes(SocketMemoryBudget.SHARE),
            plan.bytesOfAll(SocketMemoryBudget.SHARE),
            "the socket that holds most is closed with 1013"));
  }

  private static List<ResourceLimit> callRows(HeapPlan plan) {
    ConnectionLimits limits = ConnectionLimits.of(connections(plan));
    return List.of(
        count(
            "http.calls-of-a-socket",
            "calls under way of one WebSocket",
            FrameSession.MAX_IN_FLIGHT,
            0,
            "`overloaded`"),
        count(
            "http.working",
            "requests under way over HTTP, of a service",
            McpHttp.MAX_WORKING,
            0,
            "503, `overloaded`"),
        count(
            "http.listening",
            "requests that listen over HTTP, of a service",
            limits.listening(),
            0,
            "503, `overloaded`"),
        count(
            "http.sessions",
            "sessions of MCP 2025-11-25 and before, of a service",
            LegacySessions.MAX_SESSIONS,
            plan.services() * OF_A_SESSION,
            "of who has most, the one unused for longest goes"),
        count(
            "http.sessions-of-a-token",
            "the same, of one token",
            LegacySessions.MAX_OF_A_CALLER,
            0,
            "its own unused for longest goes"),
        count(
            "http.tokens",
            "lines of the tokens file",
            TokenFile.MAX_TOKENS,
            250,
            "the file isn't taken"));
  }
}
