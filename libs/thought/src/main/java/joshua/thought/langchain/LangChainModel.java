package joshua.thought.langchain;

import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import java.util.concurrent.atomic.AtomicReference;
import joshua.thought.Completion;
import joshua.thought.Model;
import joshua.thought.ModelConfig;
import joshua.thought.ModelFailed;
import joshua.thought.ModelRequest;
import joshua.thought.TokenListener;
import org.jspecify.annotations.Nullable;

/**
 * One model behind LangChain4j. A request runs whole on the thread that makes it, its callbacks
 * too: {@link Transport} reads the answer where it is called, by the {@link Call} bound to that
 * thread.
 */
final class LangChainModel implements Model {
  private final ModelConfig config;
  private final String name;
  private final Transport transport;

  /** Made for the first request: loading what it needs would hold up a start. */
  private final AtomicReference<@Nullable StreamingChatModel> made = new AtomicReference<>();

  LangChainModel(ModelConfig config, String name, Transport transport) {
    this.config = config;
    this.name = name;
    this.transport = transport;
  }

  private StreamingChatModel model() {
    StreamingChatModel model = made.get();
    if (model == null) {
      model = Providers.streaming(config, name, transport);
      made.set(model);
    }
    return model;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String provider() {
    return config.providerName();
  }

  @Override
  public Completion complete(ModelRequest request, TokenListener listener)
      throws ModelFailed, InterruptedException {
    Call call = new Call(config, name, request.deadline());
    Receiver receiver = new Receiver(call, listener, config.limits().outputTokens());
    ChatRequest chat =
        ChatRequest.builder()
            .messages(Messages.of(request))
            .toolSpecifications(request.tools().stream().map(Messages::tool).toList())
            .build();
    try {
      ScopedValue.where(Call.CURRENT, call).run(() -> model().chat(chat, receiver));
    } catch (RuntimeException e) {
      call.garbled(e);
    }
    call.throwIfOver();
    return receiver.completion();
  }
}
