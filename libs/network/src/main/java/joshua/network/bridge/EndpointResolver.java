package joshua.network.bridge;

import java.net.URI;
import java.util.Optional;
import joshua.kernel.ErrorCode;

/** Finds the present address of a MAD; used before every attempt to connect. */
@FunctionalInterface
public interface EndpointResolver {
  /**
   * Finds it. May read files.
   *
   * @throws EndpointUnavailableException if there is no point in trying
   */
  Place find() throws EndpointUnavailableException;

  /**
   * Where to connect to.
   *
   * @param uri the WebSocket endpoint for MCP, {@code ws://127.0.0.1:8000/mcp}
   * @param token the bearer token to call with, if there is one
   */
  record Place(URI uri, Optional<String> token) {
    /** Host and port, as people read it. */
    String shown() {
      return uri.getAuthority();
    }

    /** Never shows the token. */
    @Override
    public String toString() {
      return shown();
    }
  }

  /** The MAD can't be reached; the message is a sentence for people with the reason. */
  final class EndpointUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    /** The MAD can't be reached now. */
    public EndpointUnavailableException(String sentence) {
      this(ErrorCode.BUS_UNAVAILABLE, sentence);
    }

    /** The MAD refuses the bridge; the client is shown this code and sentence. */
    EndpointUnavailableException(ErrorCode code, String sentence) {
      super(sentence);
      this.code = code;
    }

    ErrorCode code() {
      return code;
    }

    String sentence() {
      return String.valueOf(getMessage());
    }
  }
}
