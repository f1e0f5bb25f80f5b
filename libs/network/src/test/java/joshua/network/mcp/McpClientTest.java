package joshua.network.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.IntNode;
import joshua.kernel.Pause;
import org.junit.jupiter.api.Test;

class McpClientTest {
  private final Pause pause = Thread::sleep;
  private final McpClient client = new McpClient(pause);

  @Test
  void aClientIsIdleUnlessSomethingWorksOrListensOrPushes() throws Exception {
    assertThat(client.isIdle()).isTrue();
    client.working(IntNode.valueOf(1), Thread.currentThread());
    assertThat(client.isIdle()).isFalse();
    client.done(IntNode.valueOf(1));
    ChangeFeed feed = new ChangeFeed(pause);
    assertThat(client.listening(feed)).isTrue();
    assertThat(client.isIdle()).isFalse();
    client.notListening(feed);
    assertThat(client.isIdle()).isTrue();
    Thread pushing =
        Thread.ofVirtual()
            .start(() -> {
              try {
                client.pushes().run(change -> {});
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
