package joshua.grace;

import java.util.List;
import joshua.grace.queue.ClientQueues;
import picocli.CommandLine.Option;

/** The settings of the relay alone. */
public final class GraceSettings {
  @Option(
      names = "--grace-queue-limit",
      defaultValue = "100",
      paramLabel = "N",
      description = "Messages that wait for one client.")
  int queueLimit;

  @Option(
      names = "--grace-client-limit",
      defaultValue = "10000",
      paramLabel = "N",
      description = "Clients that have a queue.")
  int clientLimit;

  @Option(
      names = "--grace-queue-bytes",
      defaultValue = "268435456",
      paramLabel = "BYTES",
      description = "What waits for all clients together.")
  long queueBytes;

  @Option(
      names = "--direct-readers",
      split = ",",
      paramLabel = "ID",
      description = "Who may read what is sent to others directly, besides administrators.")
  List<String> directReaders = List.of();

  ClientQueues.Limits limits() {
    return new ClientQueues.Limits(queueLimit, clientLimit, queueBytes);
  }
}
