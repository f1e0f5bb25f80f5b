package joshua.grace.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import joshua.grace.queue.AddresseeState.State;
import joshua.grace.queue.Polls.Poll;
import joshua.network.Connection;
import org.junit.jupiter.api.Test;

class ClientPresenceTest extends QueueFixture {
  private String state(String client) {
    return presence.view(client).orElseThrow().state();
  }

  @Test
  void silentClientsLeaveAndComeBackWithTheirQueue() {
    subscribe("ann");
    assertThat(announced()).containsExactly("ann join: subscribed, -");
    subscribe("ann");
    time.advance(Duration.ofSeconds(120));
    presence.tick();
    assertThat(announced()).isEmpty();
    time.advance(Duration.ofSeconds(1));
    presence.tick();
    assertThat(announced()).containsExactly("ann leave: no call for 120 s, away");
    presence.tick();
    presence.somebodyJoined();
    presence.tick();
    assertThat(announced()).as("nor is it in a roster").isEmpty();
    deliver(1);
    presence.called("ann", "back");
    assertThat(announced()).containsExactly("ann join: back, -");
    presence.somebodyJoined();
    presence.tick();
    assertThat(said.getFirst().payload().path("clients").toString()).isEqualTo("[\"ann\"]");
    announced();
    assertThat(texts(take("ann"))).containsExactly("1");
    socket.close();
    time.advance(Duration.ofSeconds(31));
    presence.tick();
    assertThat(announced())
        .containsExactly("ann leave: its socket closed and it hasn't come back, away");
  }

  @Test
  void whoCameBackBeforeItsLeaveWasSaidHasNotLeft() {
    subscribe("ann");
    queues.drop("ann");
    announced();
    subscribe("ann");
    assertThat(announced()).containsExactly("ann join: subscribed, -");
    presence.tick();
    assertThat(announced()).isEmpty();
  }

  @Test
  void presentIsWhoHasPolledHalfAMinuteAgoByASocketThatIsStillOpen() {
    subscribe("ann");
    assertThat(presence.addressee("ann", X).orElseThrow().state()).isEqualTo(State.QUEUED);
    take("ann");
    time.advance(Duration.ofSeconds(29));
    assertThat(presence.addressee("ann", X).orElseThrow().state()).isEqualTo(State.PRESENT);
    time.advance(Duration.ofSeconds(1));
    assertThat(presence.addressee("ann", X).orElseThrow().state()).isEqualTo(State.QUEUED);
    take("ann");
    socket.close();
    assertThat(presence.addressee("ann", X).orElseThrow().state()).isEqualTo(State.QUEUED);
    assertThat(presence.addressee("ann", "mad.topic.y")).isEmpty();
    assertThat(presence.addressee("bob", X)).isEmpty();
  }

  @Test
  void aClientWhosePollHasDiedIsNotPresentAndLosesNothing() {
    subscribe("ann");
    poll("ann", null);
    assertThat(state("ann")).isEqualTo("present");
    deliver(5);
    Poll dead = request("ann", null, Duration.ZERO, new Connection("dead", () -> true));
    assertThatThrownBy(() -> polls.begin(dead).atOnce()).isInstanceOf(CancellationException.class);
    assertThat(state("ann")).isNotEqualTo("present");
    assertThat(texts(poll("ann", null))).containsExactly("5");
  }
}
