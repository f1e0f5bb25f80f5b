package joshua.horace.document;

import java.util.Optional;
import java.util.regex.Pattern;
import joshua.kernel.Refusal;

/** The rule for paths of documents, which are names and never paths of a file system. */
final class DocumentPath {
  private static final int MAX_LENGTH = 300;
  private static final int MAX_SEGMENTS = 10;
  private static final Pattern SEGMENT = Pattern.compile("(?!-)(?!\\.+$)[\\p{L}\\p{N} ._+@()-]+");

  private DocumentPath() {}

  static Optional<Refusal> refuse(String path) {
    String[] segments = path.split("/", -1);
    if (path.length() > MAX_LENGTH || segments.length > MAX_SEGMENTS) {
      return refusal(
          "must have 1 to %d segments and %d characters".formatted(MAX_SEGMENTS, MAX_LENGTH));
    }
    for (int i = 0; i < segments.length; i++) {
      if (!SEGMENT.matcher(segments[i]).matches()) {
        return refusal(
            ("must be like progress/plan.md: letters, digits and ._+@()- in segments that don't"
                    + " begin with - and aren't dots alone; segment %d isn't")
                .formatted(i + 1));
      }
    }
    return Optional.empty();
  }

  private static Optional<Refusal> refusal(String rule) {
    return Optional.of(Refusal.invalidInput("path", rule));
  }
}
