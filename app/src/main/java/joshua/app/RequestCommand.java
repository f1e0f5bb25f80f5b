package joshua.app;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ConversationBus;
import joshua.conversation.EnvelopeCodec;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RequestOutcome;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Settings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code joshua request}: sends to one participant and waits for its one reply (+JC-10). */
@Command(
    name = "request",
    description = "Send a message to one participant, and await its reply.",
    footer = {
      "",
      "It prints the payload of the reply. Examples:",
      "  joshua request bob '{\"question\":\"are you there?\"}'",
      "  joshua request fiedler '{\"prompt\":\"help\"}' --timeout 60",
      "  joshua request bob '{}' -o json"
    })
final class RequestCommand implements Subcommand {
  private static final int LONGEST_SECONDS = 3_600;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TO",
      description = "The participant that is asked.")
  private @Nullable String to;

  @Parameters(
      index = "1",
      arity = "0..1",
      defaultValue = "{}",
      paramLabel = "PAYLOAD",
      description = MessageOptions.PAYLOAD)
  private String payload = "{}";

  @Option(
      names = "--timeout",
      defaultValue = "10",
      paramLabel = "SECONDS",
      description = "How long to wait for the reply, at most 3600. Default: ${DEFAULT-VALUE}")
  private int timeout = 10;

  @Mixin private MessageOptions message = new MessageOptions();

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public int run(Settings settings, ProcessEnvironment around) throws Exception {
    OutgoingMessage outgoingMessage = draft(settings);
    List<MessageAudience> audiences = new ArrayList<>();
    try (ConversationBus bus = TemporaryBusConnection.as(message.sender(), settings)) {
      RequestOutcome requestOutcome =
          bus.request(
              outgoingMessage,
              Duration.ofSeconds(timeout),
              accepted -> {
                MessageAudience audience =
                    MessageAudience.of(
                        outgoingMessage.channel(), accepted.receivers(), bus, settings);
                audiences.add(audience);
                return audience.receivers() > 0;
              });
      switch (requestOutcome) {
        case RequestOutcome.Answered answered ->
            around
                .out()
                .println(
                    Json.write(
                        format.json()
                            ? EnvelopeCodec.tree(answered.envelope())
                            : answered.envelope().payload()));
        case RequestOutcome.Unanswered unanswered ->
            throw new ServiceUnavailableException(why(unanswered, audiences));
        case RequestOutcome.NotSent(Refusal refusal)
            when refusal.code() != ErrorCode.BUS_UNAVAILABLE ->
            throw new RequestRefusedException(refusal.message());
        case RequestOutcome.NotSent(Refusal refusal) ->
            throw new ServiceUnavailableException(refusal.message());
      }
      return 0;
    } catch (BusUnavailableException e) {
      throw new ServiceUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  private String why(RequestOutcome.Unanswered unanswered, List<MessageAudience> audiences) {
    MessageAudience audience = audiences.getFirst();
    if (audience.receivers() == 0) {
      return "No reply: " + audience.words(unanswered.request().envelope().channel());
    }
    return "No reply from %s within %d s%s. It may come later, on mad.direct.%s, with the correlation id %s."
        .formatted(
            to,
            timeout,
            unanswered
                .gap()
                .map(_ ->
                    "; the connection to Redis was away meanwhile, and it may have been missed")
                .orElse(""),
            message.sender(),
            unanswered.request().envelope().correlationId());
  }

  private OutgoingMessage draft(Settings settings) throws UsageException, IOException {
    List<String> problems = new ArrayList<>();
    Optional<Channel> channel =
        Optional.ofNullable(to).filter(BusIdentifiers::isIdentifier).map(Channel::direct);
    if (to == null) {
      problems.add("TO is missing: joshua request TO PAYLOAD");
    } else if (channel.isEmpty()) {
      problems.add("TO " + BusIdentifiers.IDENTIFIER_RULE);
    } else if (to.equals(message.sender())) {
      problems.add("TO must be another than who asks (--as)");
    }
    if (timeout < 1 || timeout > LONGEST_SECONDS) {
      problems.add("--timeout must be from 1 to %d".formatted(LONGEST_SECONDS));
    }
    return message.draft(channel, payload, problems, settings);
  }
}
