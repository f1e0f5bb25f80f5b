package joshua.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A faulty network in front of a server that echoes every byte. */
class FaultProxyTest {
  private ServerSocket echo;
  private FaultProxy faultProxy;
  private Socket client;

  @BeforeEach
  void connect() throws Exception {
    echo = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::echo);
    faultProxy = FaultProxy.before(echo.getLocalPort());
    client = newClient();
  }

  private void echo() {
    try {
      while (true) {
        Socket socket = echo.accept();
        Thread.ofVirtual()
            .start(() -> {
              try (socket) {
                socket.getInputStream().transferTo(socket.getOutputStream());
              } catch (IOException e) {
                // Cut, as some tests do.
              }
            });
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private Socket newClient() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), faultProxy.port());
    socket.setSoTimeout(300);
    return socket;
  }

  @AfterEach
  void disconnect() throws Exception {
    client.close();
    faultProxy.close();
    echo.close();
  }

  private int ask(int question) throws IOException {
    client.getOutputStream().write(question);
    return client.getInputStream().read();
  }

  @Test
  void withoutAFaultEverythingPasses() throws Exception {
    assertThat(ask('x')).isEqualTo('x');
    client.shutdownOutput();
    assertThat(client.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void aCutResetsAndRefusesUntilHealed() throws Exception {
    assertThat(ask('x')).isEqualTo('x');
    faultProxy.inject(new NetworkFault.Cut());
    assertThatThrownBy(() -> client.getInputStream().read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("reset");
    client = newClient();
    assertThatThrownBy(() -> ask('y')).isInstanceOf(IOException.class);
    faultProxy.heal();
    client = newClient();
    assertThat(ask('z')).isEqualTo('z');
    assertThat(faultProxy.accepted()).isEqualTo(3);
  }

  @Test
  void aStallKeepsTheConnectionAndPassesNothingUntilHealed() throws Exception {
    faultProxy.inject(new NetworkFault.Stall());
    assertThatThrownBy(() -> ask('x')).isInstanceOf(SocketTimeoutException.class);
    faultProxy.heal();
    assertThat(client.getInputStream().read()).isEqualTo('x');
  }

  @Test
  void aStallOfOneDirectionLetsTheOtherPass() throws Exception {
    faultProxy.inject(new NetworkFault.Stall(NetworkFault.Direction.TO_CLIENT));
    assertThatThrownBy(() -> ask('x')).isInstanceOf(SocketTimeoutException.class);
    faultProxy.inject(new NetworkFault.Stall(NetworkFault.Direction.TO_SERVER));
    assertThat(client.getInputStream().read()).isEqualTo('x');
    assertThatThrownBy(() -> ask('y')).isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void aDelayPassesEverythingLater() throws Exception {
    faultProxy.inject(new NetworkFault.Delay(Duration.ofMillis(60)));
    long start = System.nanoTime();
    assertThat(ask('x')).isEqualTo('x');
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(115));
  }

  @Test
  void aHalfCloseEndsWhatTheServerSaysAndNotWhatItHears() throws Exception {
    assertThat(ask('x')).isEqualTo('x');
    faultProxy.inject(new NetworkFault.HalfClose());
    InputStream in = client.getInputStream();
    assertThat(in.read()).isEqualTo(-1);
    client.getOutputStream().write('y');
  }
}
