package joshua.network.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.IntNode;
import joshua.kernel.TimedWait;
import org.junit.jupiter.api.Test;

class McpClientTest {
  private final TimedWait timedWait = Thread::sleep;
  private final McpClient client = new McpClient(timedWait);

  @Test
  void aClientIsIdleUnlessSomethingWorksOrListensOrPushes() throws Exception {
    assertThat(client.isIdle()).isTrue();
    client.working(IntNode.valueOf(1), Thread.currentThread());
    assertThat(client.isIdle()).isFalse();
    client.done(IntNode.valueOf(1));
    NotificationQueue feed = new NotificationQueue(timedWait);
    assertThat(client.listening(feed)).isTrue();
    assertThat(client.isIdle()).isFalse();
    client.notListening(feed);
    assertThat(client.isIdle()).isTrue();
    Thread pushing =
        Thread.ofVirtual()
            .start(() -> {
              try {
                client.pushes().run(catalogChange -> {});
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    await().until(() -> !client.isIdle());
    client.end();
    pushing.join();
    assertThat(client.isIdle()).isTrue();
  }
}
