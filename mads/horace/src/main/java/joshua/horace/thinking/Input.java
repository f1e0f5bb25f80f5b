package joshua.horace.thinking;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import joshua.horace.change.Request;
import joshua.network.Name;
import org.jspecify.annotations.Nullable;

/** An input of a tool of thinking. */
@JsonNaming(LowerCamelCaseStrategy.class)
public interface Input extends Request.Input {
  /** What all of them have. */
  @JsonNaming(LowerCamelCaseStrategy.class)
  record Whose(
      @Nullable String sessionId, @Nullable String project, @Name @Nullable String clientId) {}

  /** One that begins a session if the caller has none. */
  interface Beginning extends Input {}

  Whose whose();

  @Override
  default Request.Scope scope() {
    return new Request.Scope(whose().project(), whose().clientId());
  }
}
