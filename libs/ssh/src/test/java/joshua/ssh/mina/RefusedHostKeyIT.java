package joshua.ssh.mina;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Clients that disconnect before the login: expected, and so no stack trace in the log. */
class RefusedHostKeyIT {
  private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(SshAdminSession.class);

  @TempDir private Path directory;
  private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();

  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(event);
        }
      };

  private SshForTests ssh;

  @BeforeEach
  void start() throws Exception {
    ssh = new SshForTests(directory, SshForTests.key(directory, "viola"));
    appender.start();
    LOGGER.addAppender(appender);
    LOGGER.setLevel(Level.DEBUG);
    LOGGER.setAdditive(false);
  }

  @AfterEach
  void stop() {
    LOGGER.setLevel(null);
    LOGGER.setAdditive(true);
    LOGGER.detachAppender(appender);
    ssh.close();
  }

  private void assertNoTraces() {
    assertThat(lines).as(lines.toString()).allMatch(line -> line.getThrowableProxy() == null);
  }

  @Test
  void aRefusedHostKeyLeavesNoTraceOfAnException() throws Exception {
    SshForTests.Result result =
        ssh.with(
            "viola",
            List.of("-o", "StrictHostKeyChecking=yes", "-o", "UserKnownHostsFile=/dev/null"),
            "",
            "who");
    assertThat(result.err()).contains("Host key verification failed");
    assertThat(ssh.ssh("viola", "who").status()).isZero();
    assertNoTraces();
  }

  @Test
  void aConnectionThatBreaksBeforeALoginIsOneShortLine() throws Exception {
    try (Socket client = new Socket("127.0.0.1", ssh.port())) {
      client.getOutputStream().write("SSH-2.0-test\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(client.getInputStream().read()).isPositive();
      // Closed like this, the system sends a reset.
      client.setSoLinger(true, 0);
    }
    await().until(() -> lines.stream().anyMatch(RefusedHostKeyIT::saysBroken));
    assertThat(lines)
        .filteredOn(RefusedHostKeyIT::saysBroken)
        .hasSize(1)
        .allSatisfy(line ->
            assertThat(line.getFormattedMessage()).hasSizeLessThan(200).doesNotContain("\n"));
    assertNoTraces();
  }

  private static boolean saysBroken(ILoggingEvent line) {
    return line.getFormattedMessage().startsWith("SSH: the connection of ");
  }
}
