package joshua.horace.change;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a call beside its input.
 *
 * @param author who makes it
 * @param room the size of an answer, in bytes, that the caller prefers
 * @param told when others are told of a change: {@code now}, or {@code later}
 * @param session the id of the caller's session in MCP, if it has one that outlives the call
 */
public record Request(
    String author,
    String project,
    UUID correlation,
    Instant at,
    int room,
    String told,
    Optional<String> session) {
  /** The author where nobody says who it is. */
  public static final String NOBODY = "somebody";

  public Request(
      String author, String project, UUID correlation, Instant at, int room, String told) {
    this(author, project, correlation, at, room, told, Optional.empty());
  }

  /** The beginning of an answer about a document. */
  public ObjectNode about(String path) {
    return Json.object().put("project", project).put("path", path);
  }

  /** The beginning of an answer about a change. */
  public ObjectNode changed(long change) {
    return Json.object().put("project", project).put("change", change).put("told", told);
  }

  /** The same of another project. */
  public Request in(String other) {
    return new Request(author, other, correlation, at, room, told, session);
  }

  /** The same at another time. */
  public Request at(Instant time) {
    return new Request(author, project, correlation, time, room, told, session);
  }

  /** An input of a tool of projects. */
  public interface Input {
    /** Null for the default. */
    @Nullable String project();

    /** The caller's name. */
    @Nullable String clientId();

    /** Whether there is no such project yet. */
    default boolean isAboutNewProject() {
      return false;
    }
  }
}
