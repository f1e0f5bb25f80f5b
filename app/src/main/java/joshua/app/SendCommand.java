package joshua.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.conversation.Channel;
import joshua.conversation.ConversationBus;
import joshua.conversation.Envelope;
import joshua.conversation.EnvelopeCodec;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Settings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code joshua send}: publishes one envelope (REQ-JC-03). */
@Command(
    name = "send",
    description = "Publish a message to a running group.",
    footer = {
      "",
      "Examples:",
      "  joshua send mad.topic.weather '{\"sky\":\"grey\"}'",
      "  echo '{\"prompt\":\"help\"}' | joshua send mad.direct.fiedler - --as ann"
    })
final class SendCommand implements Subcommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "CHANNEL",
      description = "mad.direct.<id>, mad.topic.<name> or mad.broadcast.")
  private @Nullable String channel;

  @Parameters(
      index = "1",
      arity = "0..1",
      defaultValue = "{}",
      paramLabel = "PAYLOAD",
      description = MessageOptions.PAYLOAD)
  private String payload = "{}";

  @Mixin private MessageOptions message = new MessageOptions();

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public int run(Settings settings, ProcessEnvironment around) throws Exception {
    OutgoingMessage outgoingMessage = draft(settings);
    try (ConversationBus bus = TemporaryBusConnection.as(message.sender(), settings)) {
      return switch (bus.send(outgoingMessage)) {
        case SendResult.Accepted accepted -> {
          around
              .out()
              .println(
                  answer(
                      accepted,
                      MessageAudience.of(
                          accepted.envelope().channel(), accepted.receivers(), bus, settings)));
          yield 0;
        }
        case SendResult.Refused(Refusal refusal) when refusal.code() != ErrorCode.BUS_UNAVAILABLE ->
            throw new RequestRefusedException(refusal.message());
        case SendResult.Refused(Refusal refusal) ->
            throw new ServiceUnavailableException(refusal.message());
        case SendResult.OutcomeUnknown unknown ->
            throw new ServiceUnavailableException(unknown.refusal().message());
      };
    }
  }

  private String answer(SendResult.Accepted accepted, MessageAudience audience) {
    Envelope envelope = accepted.envelope();
    if (format.json()) {
      ObjectNode tree = EnvelopeCodec.tree(envelope).put("receivers", audience.receivers());
      audience.addressee().ifPresent(stands -> tree.put("addressee", stands));
      return Json.write(tree);
    }
    return "sent %s on %s; %s; conversation %s, correlation %s"
        .formatted(
            envelope.messageId(),
            envelope.channel(),
            audience.words(envelope.channel()),
            envelope.conversationId(),
            envelope.correlationId());
  }

  private OutgoingMessage draft(Settings settings) throws UsageException, IOException {
    List<String> problems = new ArrayList<>();
    Optional<Channel> target =
        Optional.ofNullable(channel).flatMap(Channel::parse).filter(Channel::isOpenToClients);
    if (target.isEmpty()) {
      problems.add(
          channel == null
              ? "CHANNEL is missing: joshua send CHANNEL PAYLOAD"
              : "CHANNEL must be mad.direct.<id>, mad.topic.<name> or mad.broadcast (it is \"%s\")"
                  .formatted(channel));
    }
    return message.draft(target, payload, problems, settings);
  }
}
