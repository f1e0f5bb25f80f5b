package joshua.conversation.redis;

import static joshua.conversation.redis.Participants.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Draft;
import joshua.conversation.Envelope;
import joshua.conversation.Reply;
import joshua.conversation.Taken;
import joshua.kernel.ErrorCode;
import joshua.testing.HandWritten;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RequestReplyIT {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final ChannelPattern TO_BOB = new ChannelPattern("mad.direct.bob");

  private Participants participants;
  private ConversationBus alice;
  private ConversationBus bob;

  @BeforeEach
  void join() throws Exception {
    participants = new Participants();
    alice = participants.join("alice");
    bob = participants.join("bob");
  }

  @AfterEach
  void leave() {
    participants.close();
  }

  private CompletableFuture<Reply> asking(Draft draft, Duration deadline) {
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            reply.complete(alice.request(draft, deadline));
          } catch (Exception e) {
            reply.completeExceptionally(e);
          }
        });
    return reply;
  }

  private static int number(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Answered.class);
    return ((Reply.Answered) reply).envelope().payload().path("n").asInt();
  }

  @Test
  void theAnswerComesBackToWhoAsked() throws Exception {
    bob.subscribe(
        TO_BOB,
        question -> {
          int n = question.payload().path("n").asInt();
          bob.sendAsync(Draft.answering(question, numbered(n + 1)));
        });
    UUID conversation = UUID.randomUUID();
    Reply reply = alice.request(Draft.to("bob", numbered(41)).conversation(conversation), LONG);
    assertThat(number(reply)).isEqualTo(42);
    Envelope answer = ((Reply.Answered) reply).envelope();
    assertThat(answer.senderId()).isEqualTo("bob");
    assertThat(answer.conversationId()).isEqualTo(conversation);
    assertThat(number(alice.request(Draft.to("bob", numbered(1)), LONG))).isEqualTo(2);
  }

  @Test
  void twoRequestsThatInterleaveGetTheirOwnAnswers() throws Exception {
    List<Envelope> questions = new CopyOnWriteArrayList<>();
    bob.subscribe(TO_BOB, questions::add);
    CompletableFuture<Reply> first = asking(Draft.to("bob", numbered(1)), LONG);
    await().until(() -> questions.size() == 1);
    CompletableFuture<Reply> second = asking(Draft.to("bob", numbered(2)), LONG);
    await().until(() -> questions.size() == 2);
    bob.send(Draft.answering(questions.get(1), numbered(20)));
    bob.send(Draft.answering(questions.get(0), numbered(10)));
    assertThat(number(first.get())).isEqualTo(10);
    assertThat(number(second.get())).isEqualTo(20);
  }

  @Test
  void withoutAnAnswerTheDeadlineEndsItAndALateAnswerDisturbsNothing() throws Exception {
    Taken questions = new Taken();
    bob.subscribe(TO_BOB, questions);
    long start = System.nanoTime();
    Reply reply = alice.request(Draft.to("bob", numbered(1)), Duration.ofMillis(300));
    assertThat(reply).isInstanceOf(Reply.Unanswered.class);
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofMillis(290), Duration.ofSeconds(5));
    Envelope late = questions.messages().getFirst();
    bob.send(Draft.answering(late, numbered(1)));

    CompletableFuture<Reply> next = asking(Draft.to("bob", numbered(2)), LONG);
    questions.awaitMessages(2);
    bob.send(Draft.answering(late, numbered(1)));
    bob.send(Draft.answering(questions.messages().get(1), numbered(2)));
    assertThat(number(next.get())).isEqualTo(2);
  }

  @Test
  void anAnswerByHandCountsAndOneToAnotherCorrelationDoesNot() throws Exception {
    try (RawListener listener = RawListener.on(participants.redis(), "mad.direct.bob");
        RawRedis raw = participants.redis().raw()) {
      UUID correlation = UUID.randomUUID();
      var reply = asking(Draft.to("bob", numbered(1)).correlation(correlation), LONG);
      await().until(() -> !listener.on("mad.direct.bob").isEmpty());
      HandWritten answer = HandWritten.on("mad.direct.alice").from("bob");
      raw.publish("mad.direct.alice", answer.payload("{\"n\":1}").json());
      raw.publish(
          "mad.direct.alice",
          answer.payload("{\"n\":2}").withText("correlation_id", correlation.toString()).json());
      assertThat(number(reply.get())).isEqualTo(2);
    }
  }

  @Test
  void aRequestToOneselfIsNotItsOwnAnswer() throws Exception {
    assertThat(alice.request(Draft.to("alice", numbered(1)), Duration.ofMillis(200)))
        .isInstanceOf(Reply.Unanswered.class);
  }

  @Test
  void theSameCorrelationTwiceAtOnceIsRefused() throws Exception {
    Taken questions = new Taken();
    bob.subscribe(TO_BOB, questions);
    Draft draft = Draft.to("bob", numbered(1)).correlation(UUID.randomUUID());
    CompletableFuture<Reply> first = asking(draft, LONG);
    questions.awaitMessages(1);
    assertThat(alice.request(draft, LONG))
        .isInstanceOfSatisfying(
            Reply.NotSent.class,
            refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.OVERLOADED));
    bob.send(Draft.answering(questions.messages().getFirst(), numbered(5)));
    assertThat(number(first.get())).isEqualTo(5);
  }

  @Test
  void theEndOfATaskIsTheReplyIfItComesInTimeElseThatItIsPending() throws Exception {
    bob.subscribe(
        TO_BOB,
        question -> {
          var pending = numbered(1).put("status", "pending").put("task_id", "t");
          bob.send(Draft.answering(question, pending));
          if (question.payload().path("n").asInt() == 1) {
            bob.send(Draft.answering(question, numbered(2)));
            bob.send(Draft.answering(question, numbered(3)));
          }
        });
    assertThat(number(alice.request(Draft.to("bob", numbered(1)), LONG))).isEqualTo(2);
    Reply pending = alice.request(Draft.to("bob", numbered(7)), Duration.ofMillis(500));
    assertThat(number(pending)).isEqualTo(1);
  }

  @Test
  void onlyTheAddresseeReplies() throws Exception {
    ConversationBus eve = participants.join("eve");
    bob.subscribe(
        TO_BOB,
        question -> {
          eve.send(Draft.answering(question, numbered(666)));
          bob.send(Draft.answering(question, numbered(2)));
        });
    assertThat(number(alice.request(Draft.to("bob", numbered(1)), LONG))).isEqualTo(2);
  }

  @Test
  void whoAsksForAnotherIsAnsweredOnTheOthersChannel() throws Exception {
    bob.subscribe(TO_BOB, question -> bob.sendAsync(Draft.answering(question, numbered(5))));
    Reply reply = alice.request(Draft.to("bob", numbered(1)).from("ann"), LONG);
    assertThat(number(reply)).isEqualTo(5);
    assertThat(((Reply.Answered) reply).envelope().channel()).isEqualTo(Channel.direct("ann"));
  }

  @Test
  void aRequestThatIsTooLargeIsNotSent() throws Exception {
    var payload = numbered(1).put("text", "x".repeat(100_000));
    assertThat(alice.request(Draft.on(Channel.direct("bob"), payload), LONG))
        .isInstanceOfSatisfying(
            Reply.NotSent.class,
            refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.TOO_LARGE));
  }
}
