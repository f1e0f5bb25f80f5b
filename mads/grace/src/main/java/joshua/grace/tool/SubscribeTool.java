package joshua.grace.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.TooManyPatternsException;
import joshua.grace.GraceConfig;
import joshua.grace.meter.MissedMessages;
import joshua.grace.presence.ClientPresence;
import joshua.grace.queue.ClientQueue;
import joshua.grace.queue.ClientQueues;
import joshua.grace.queue.CursorCodec;
import joshua.grace.queue.QueuePosition;
import joshua.grace.queue.ReadingRights;
import joshua.grace.queue.SubscribeResult;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Tool;
import joshua.network.ToolAnnotations;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;

/** {@code grace_subscribe}: creates a queue, and names the topics that go into it (REQ-GR-02). */
public final class SubscribeTool implements Tool {
  public static final ToolSpec SPEC =
      new ToolSpec(
              "grace_subscribe",
              "Subscribe",
              "Makes a queue for client_id, from this call on, and adds channels or globs to it:"
                  + " mad.direct.<your id>, mad.topic.<name>, mad.broadcast, mad.stream.<task>, or mad.*"
                  + " for all that participants say (streams and mad.system.* only where named)."
                  + " Subscribing again adds more. Read it with grace_poll_messages; pass the answer's"
                  + " cursor to your first poll, so that nothing gets lost.",
              GraceSchemas.of(
                  """
                  {"type":"object","additionalProperties":false,"required":["client_id","topics"],"properties":{
                    "client_id":"@clientId",
                    "topics":{"type":"array","minItems":1,"maxItems":1000,"items":{"type":"string","maxLength":256}},
                    "cursor":{"description":"Your last cursor, if you were subscribed before: tells what you missed","anyOf":[{"type":"string","maxLength":128},{"type":"null"}]}}}\
                  """),
              GraceSchemas.of(
                  """
                  {"type":"object","required":["status","message","epoch","queue_limit","topics","cursor","gap"],"properties":{
                    "status":{"const":"success"},
                    "message":{"type":"string"},
                    "epoch":{"type":"string"},
                    "queue_limit":{"type":"integer"},
                    "topics":"@topics",
                    "cursor":{"type":"string"},
                    "gap":"@gap",
                    "withheld":{"type":"array","items":{"type":"string"},"description":"What your topics match and you aren't given"}}}\
                  """),
              new ToolAnnotations(false, false, true, false))
          .openTo(Role.VIEWER);

  private static final String NOTHING = " Nothing was subscribed.";

  private final GraceConfig config;
  private final ConversationBus bus;
  private final ClientQueues queues;
  private final ClientPresence presence;
  private final CursorCodec cursorCodec;

  public SubscribeTool(
      GraceConfig config,
      ConversationBus bus,
      ClientQueues queues,
      ClientPresence presence,
      CursorCodec cursorCodec) {
    this.config = config;
    this.bus = bus;
    this.queues = queues;
    this.presence = presence;
    this.cursorCodec = cursorCodec;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public Answer begin(ToolCall call) {
    String clientId = call.input().path("client_id").asText();
    Set<ChannelPattern> topics = new LinkedHashSet<>();
    ReadingRights rights = ReadingRights.of(call.caller(), config.directReaders());
    Optional<Refusal> refusal =
        SenderCheck.refusal(call.caller(), clientId)
            .or(() -> readTopics(call.input().path("topics"), topics))
            .or(() -> refusal(clientId, rights, topics));
    if (refusal.isPresent()) {
      return Answer.of(new ToolResult.Refused(refusal.get()));
    }
    presence.ended(queues.endBeyond(clientId, rights));
    JsonNode cursor = call.input().path("cursor");
    return cursor.isTextual()
        ? follow(clientId, rights, topics, Optional.of(cursorCodec.read(clientId, cursor.asText())))
        : follow(clientId, rights, topics, Optional.empty());
  }

  static Optional<Refusal> readTopics(JsonNode names, Collection<ChannelPattern> topics) {
    for (int i = 0; i < names.size(); i++) {
      Optional<ChannelPattern> topic = ChannelPattern.parse(names.get(i).asText());
      if (topic.isEmpty()) {
        return Optional.of(Refusal.invalidInput("topics[%d]".formatted(i), ChannelPattern.RULE));
      }
      topics.add(topic.get());
    }
    return Optional.empty();
  }

  private static Optional<Refusal> refusal(
      String clientId, ReadingRights rights, Collection<ChannelPattern> topics) {
    int number = 0;
    for (ChannelPattern topic : topics) {
      Optional<Refusal> refusal = rights.refusal(clientId, topic, number++);
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  private Answer follow(
      String clientId,
      ReadingRights rights,
      Set<ChannelPattern> topics,
      Optional<CursorCodec.Reading> cursor) {
    Optional<MissedMessages> lost = Optional.empty();
    Optional<QueuePosition> told = Optional.empty();
    if (cursor.isPresent()) {
      switch (cursor.get()) {
        case CursorCodec.Reading.Ours(QueuePosition queuePosition) -> {
          told = Optional.of(queuePosition);
          lost = queues.look(clients -> clients.lossSince(clientId, queuePosition));
        }
        case CursorCodec.Reading.OldEpoch(var since) ->
            lost = Optional.of(MissedMessages.unknown(MissedMessages.Reason.RESTART, since));
        case CursorCodec.Reading.NeverIssued() -> {
          return Answer.of(new ToolResult.Refused(PollTool.cursorNeverIssued()));
        }
      }
    }
    Optional<QueuePosition> position = told;
    Optional<MissedMessages> missed = lost;
    return switch (queues.follow(clientId, rights, topics, lost)) {
      case ClientQueues.Followed.Refused(String why) ->
          Answer.of(new ToolResult.Refused(Refusal.of(ErrorCode.OVERLOADED, why + NOTHING)));
      case SubscribeResult subscribeResult -> {
        announce(subscribeResult);
        yield () -> result(subscribeResult, rights, topics.size(), position, missed);
      }
    };
  }

  private void announce(SubscribeResult subscribeResult) {
    presence.left(subscribeResult.left(), "evicted: other clients were used more recently");
    if (subscribeResult.came()) {
      presence.came(subscribeResult.queue().clientId());
    }
  }

  private ToolResult result(
      SubscribeResult subscribeResult,
      ReadingRights rights,
      int named,
      Optional<QueuePosition> told,
      Optional<MissedMessages> lost)
      throws InterruptedException {
    Optional<List<ChannelPattern>> followed = Optional.empty();
    try {
      bus.awaitConfirmed(subscribeResult.confirmed());
      followed = queues.confirm(subscribeResult);
    } catch (BusUnavailableException e) {
      return new ToolResult.Refused(refusal(e, NOTHING));
    } finally {
      if (followed.isEmpty()) {
        queues.revert(subscribeResult);
      }
    }
    return followed
        .<ToolResult>map(
            topics -> withheld(success(subscribeResult, topics, named, told, lost), topics, rights))
        .orElseGet(() -> goneMeanwhile(subscribeResult.queue().clientId()));
  }

  /**
   * The refusal for a channel that couldn't be followed; {@code consequence} is appended as a
   * sentence.
   */
  static Refusal refusal(BusUnavailableException cause, String consequence) {
    String sentence = cause.getMessage() + consequence;
    return cause instanceof TooManyPatternsException
        ? Refusal.of(ErrorCode.OVERLOADED, sentence)
        : Refusal.of(ErrorCode.BUS_UNAVAILABLE, sentence)
            .with("outcome", TextNode.valueOf("not_sent"));
  }

  private ToolResult goneMeanwhile(String clientId) {
    Refusal refusal =
        Refusal.of(
            ErrorCode.NOT_SUBSCRIBED,
            "Client '%s' lost its queue, or gave up one of these topics, while it subscribed.%s"
                .formatted(clientId, NOTHING));
    return new ToolResult.Refused(
        queues
            .look(clients -> clients.eviction(clientId))
            .map(missedMessages -> refusal.with("gap", missedMessages.tree()))
            .orElse(refusal));
  }

  /** The answer, which says what is left out of the topics. */
  private static ToolResult withheld(
      ObjectNode output, List<ChannelPattern> followed, ReadingRights rights) {
    if (followed.stream().anyMatch(rights::withhold)) {
      ArrayNode withheld = output.putArray("withheld");
      ReadingRights.WITHHELD.forEach(withheld::add);
    }
    return new ToolResult.Success(output);
  }

  private ObjectNode success(
      SubscribeResult subscribeResult,
      List<ChannelPattern> followed,
      int named,
      Optional<QueuePosition> told,
      Optional<MissedMessages> lost) {
    ClientQueue queue = subscribeResult.queue();
    ClientQueue.Standing standing = queues.standing(queue, told);
    Optional<MissedMessages> known = standing.same() ? standing.missed() : lost;
    Optional<MissedMessages> gap = subscribeResult.created() ? subscribeResult.lost() : known;
    ObjectNode output = Json.object();
    output.put("status", "success");
    output.put(
        "message", "Subscribed client '%s' to %d topics.".formatted(queue.clientId(), named));
    output.put("epoch", cursorCodec.epoch());
    output.put("queue_limit", config.queueLimit());
    ArrayNode topics = output.putArray("topics");
    followed.forEach(topic -> topics.add(topic.text()));
    output.put("cursor", cursorCodec.write(queue.clientId(), standing.position()));
    output.set("gap", gap.map(MissedMessages::tree).orElse(null));
    return output;
  }
}
