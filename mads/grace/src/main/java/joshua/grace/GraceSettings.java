package joshua.grace;

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

  ClientQueues.Limits limits() {
    return new ClientQueues.Limits(queueLimit, clientLimit, queueBytes);
  }
}
