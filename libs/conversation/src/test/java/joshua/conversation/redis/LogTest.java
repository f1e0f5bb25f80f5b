package joshua.conversation.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.testing.FaultProxy;
import joshua.testing.NetworkFault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/**
 * The log as users run it, {@code joshua} at INFO and libraries at WARN: enough, and nothing else.
 */
@Isolated("reads every log line of the JVM")
class LogTest {
  private static final Logger ROOT = (Logger) LoggerFactory.getLogger("ROOT");
  private static final Logger JOSHUA = (Logger) LoggerFactory.getLogger("joshua");

  private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();
  private final BusParticipants participants = new BusParticipants();

  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          event.prepareForDeferredProcessing();
          lines.add(event);
        }
      };

  @BeforeEach
  void listen() {
    JOSHUA.setLevel(Level.INFO);
    appender.setContext(ROOT.getLoggerContext());
    appender.start();
    ROOT.addAppender(appender);
  }

  @AfterEach
  void leave() {
    participants.close();
    ROOT.detachAppender(appender);
    JOSHUA.setLevel(null);
  }

  @Test
  void anOutageIsAFewPlainLinesAndTheLibrariesBeneathSayNothing() throws Exception {
    try (FaultProxy network = FaultProxy.before(participants.redis().port())) {
      ConversationBus alice = participants.join("alice", network.url(), BusParticipants.CALM);
      network.inject(new NetworkFault.Cut());
      await().until(() -> lines.stream().filter(line -> said(line, "attempt ")).count() >= 6);
      network.heal();
      await().until(alice::isUsable);
      await().until(() -> lines.stream().filter(line -> said(line, " is back")).count() == 2);
      alice.close();
      assertThat(lines).allMatch(line -> line.getLoggerName().startsWith("joshua."));
      assertThat(lines).allMatch(line -> line.getThrowableProxy() == null);
      assertThat(lines.stream().filter(line -> said(line, " is gone"))).hasSize(2);
      assertThat(lines)
          .noneMatch(line -> said(line, participants.redis().password()))
          .allMatch(line -> said(line, "127.0.0.1:" + network.port()));
    }
  }

  private static boolean said(ILoggingEvent line, String text) {
    return line.getFormattedMessage().contains(text);
  }

  private static boolean aHandlerFailed(ILoggingEvent line) {
    return said(line, "a message handler failed");
  }

  @Test
  void aRefusedStartIsToldByItsExceptionAlone() {
    assertThatThrownBy(
            () -> RedisConversation.join("alice", participants.redis().url(), "wrong-password"))
        .isInstanceOf(BusUnavailableException.class);
    assertThat(lines).isEmpty();
  }

  @Test
  void aLineThatAMessageCausesHasItsCorrelationId() throws Exception {
    ConversationBus alice = participants.join("alice");
    alice.subscribe(
        new ChannelPattern("mad.topic.*"),
        envelope -> {
          throw new IllegalStateException("on purpose");
        });
    SendResult sendResult =
        alice.send(OutgoingMessage.on(Channel.topic("x"), BusParticipants.numbered(1)));
    // Found by its text: on a busy machine other lines may come before it.
    await().until(() -> lines.stream().anyMatch(LogTest::aHandlerFailed));
    assertThat(lines)
        .filteredOn(LogTest::aHandlerFailed)
        .singleElement()
        .satisfies(line ->
            assertThat(line.getMDCPropertyMap())
                .containsEntry(
                    "correlation_id",
                    ((SendResult.Accepted) sendResult).envelope().correlationId().toString()));
  }
}
