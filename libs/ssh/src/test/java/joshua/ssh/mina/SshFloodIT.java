package joshua.ssh.mina;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import joshua.ssh.AuditLog;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Expensive connections that never log in. */
class SshFloodIT {
  @TempDir private Path directory;
  private SshForTests ssh;
  private String viola;

  @BeforeEach
  void start() throws Exception {
    viola = SshForTests.key(directory, "viola");
    SshForTests.key(directory, "mallory");
    ssh = new SshForTests(directory, viola);
  }

  @AfterEach
  void stop() {
    ssh.close();
  }

  @Test
  @TriesLimit({"ssh.logging-in", "ssh.logging-in-of-an-address"})
  void connectionsThatOnlyWaitKeepNobodyOut() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < SshConnections.NOT_LOGGED_IN_OF_AN_ADDRESS; i++) {
        idle.add(greeting("127.0.0.1"));
      }
      ssh.time.advance(SshConnections.HEAD_START);
      assertThat(ssh.ssh("viola", "who").status()).isZero();
      for (int i = 0; i < SshConnections.NOT_LOGGED_IN; i++) {
        idle.add(greeting("127.0.0." + (2 + i / SshConnections.NOT_LOGGED_IN_OF_AN_ADDRESS)));
      }
      assertThat(ssh.ssh("viola", "who").status()).isZero();
      assertThat(ssh.audited(AuditLog.Action.LOGIN_REFUSED))
          .extracting(AuditLog.Entry::detail)
          .allMatch(detail -> detail.contains("too many are logging in at once"));
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  private Socket greeting(String from) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), ssh.port()));
    socket.getOutputStream().write("SSH-2.0-x\r\n".getBytes(StandardCharsets.UTF_8));
    socket.setSoTimeout(20_000);
    assertThat(socket.getInputStream().read()).isEqualTo('S');
    return socket;
  }

  @Test
  @TriesLimit("ssh.unread")
  void packetsWhoseAnswersAreNotReadEndTheConnection() throws Exception {
    byte[] unknown = new byte[16];
    unknown[3] = 12;
    unknown[4] = 10;
    unknown[5] = (byte) 192;
    byte[] many = new byte[unknown.length * 4_000];
    for (int at = 0; at < many.length; at += unknown.length) {
      System.arraycopy(unknown, 0, many, at, unknown.length);
    }
    try (Socket socket = greeting("127.0.0.1")) {
      long sent = 0;
      try {
        while (sent < 64 << 20) {
          socket.getOutputStream().write(many);
          sent += many.length;
        }
      } catch (IOException e) {
        // It was cut off.
      }
      assertThat(sent).as("bytes until it was cut off").isLessThan(64 << 20);
    }
    assertThat(ssh.ssh("viola", "who").status()).isZero();
  }
}
