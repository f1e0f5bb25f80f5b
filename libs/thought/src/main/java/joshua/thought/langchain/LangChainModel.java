package joshua.thought.langchain;

import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import java.util.concurrent.atomic.AtomicReference;
import joshua.thought.LanguageModel;
import joshua.thought.ModelCompletion;
import joshua.thought.ModelConfig;
import joshua.thought.ModelFailedException;
import joshua.thought.ModelRequest;
import joshua.thought.TokenListener;
import org.jspecify.annotations.Nullable;

/**
 * One model accessed through LangChain4j. A request runs completely on the thread that makes it,
 * including its callbacks: {@link ModelTransport} reads the answer on the calling thread, by the
 * {@link ModelCall} bound to that thread.
 */
final class LangChainModel implements LanguageModel {
  private final ModelConfig config;
  private final String name;
  private final ModelTransport modelTransport;

  /** Created at the first request: loading its classes would slow down the start. */
  private final AtomicReference<@Nullable StreamingChatModel> made = new AtomicReference<>();

  LangChainModel(ModelConfig config, String name, ModelTransport modelTransport) {
    this.config = config;
    this.name = name;
    this.modelTransport = modelTransport;
  }

  private StreamingChatModel model() {
    StreamingChatModel model = made.get();
    if (model == null) {
      model = ModelProviders.streaming(config, name, modelTransport);
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
  public ModelCompletion complete(ModelRequest request, TokenListener listener)
      throws ModelFailedException, InterruptedException {
    ModelCall modelCall = new ModelCall(config, name, request.deadline());
    AnswerReceiver answerReceiver =
        new AnswerReceiver(modelCall, listener, config.limits().outputTokens());
    ChatRequest chat =
        ChatRequest.builder()
            .messages(ModelMessages.of(request))
            .toolSpecifications(request.tools().stream().map(ModelMessages::tool).toList())
            .build();
    try {
      ScopedValue.where(ModelCall.CURRENT, modelCall).run(() -> model().chat(chat, answerReceiver));
    } catch (RuntimeException e) {
      modelCall.garbled(e);
    }
    modelCall.throwIfOver();
    return answerReceiver.completion();
  }
}
