package joshua.horace.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads a document of YAML 1.2 as JSON, with the bounds of {@link Json}. Only what JSON writes as a
 * number, and true, false and null, aren't text: not 012, yes, 2026-02-15 or .inf. It reads events,
 * since the library's own loader overflows the stack at deep and recursive texts.
 */
public final class YamlReader {
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");
  private static final Pattern NULL = Pattern.compile("~|null|Null|NULL|");
  private static final Pattern BOOLEAN = Pattern.compile("true|True|TRUE|false|False|FALSE");

  private final Iterator<Event> events;
  private final Map<Anchor, JsonNode> anchors = new HashMap<>();
  private int values;

  private YamlReader(String yaml, boolean comments) {
    // In one buffer: where a character of two ends one, the library fails.
    LoadSettings settings =
        LoadSettings.builder().setParseComments(comments).setBufferSize(yaml.length() + 1).build();
    events = new Parse(settings).parseString(yaml).iterator();
  }

  /** A text that isn't such a document; the message is the end of a sentence. */
  public static final class MalformedYamlException extends Exception {
    private static final long serialVersionUID = 1;

    private MalformedYamlException(String what, Optional<Mark> where) {
      super(
          what
              + where
                  .map(at ->
                      " at line %d, column %d".formatted(at.getLine() + 1, at.getColumn() + 1))
                  .orElse(""));
    }
  }

  /** Reads a document; an empty one is an object without members. */
  public static JsonNode read(String yaml) throws MalformedYamlException {
    YamlReader reader = new YamlReader(yaml, false);
    try {
      reader.events.next(); // of the stream
      if (reader.events.next().getEventId() == Event.ID.StreamEnd) {
        return Json.object();
      }
      JsonNode read = reader.value(reader.events.next(), 0);
      reader.events.next(); // the document's end
      Event end = reader.events.next();
      if (end.getEventId() != Event.ID.StreamEnd) {
        throw new MalformedYamlException("has a second document", end.getStartMark());
      }
      return read;
    } catch (MarkedYamlEngineException e) {
      throw new MalformedYamlException("is not valid YAML: " + e.getProblem(), e.getProblemMark());
    } catch (ReaderException e) {
      int odd = e.getCodePoint();
      long line = 1 + yaml.codePoints().takeWhile(it -> it != odd).filter(it -> it == '\n').count();
      String what = "has the character U+%04X at line %d".formatted(odd, line);
      throw new MalformedYamlException(what, Optional.empty());
    } catch (YamlEngineException e) {
      throw new MalformedYamlException("is of another version of YAML than 1.2", Optional.empty());
    }
  }

  /** Whether a valid document has comments. */
  public static boolean hasComments(String yaml) {
    Iterable<Event> events = () -> new YamlReader(yaml, true).events;
    for (Event event : events) {
      if (event.getEventId() == Event.ID.Comment) {
        return true;
      }
    }
    return false;
  }

  private JsonNode value(Event event, int depth) throws MalformedYamlException {
    if (event instanceof AliasEvent alias) {
      JsonNode meant = anchors.get(alias.getAlias());
      if (meant == null) {
        throw refused(event, "has an alias of something that isn't complete there");
      }
      count(event, size(meant));
      return meant.deepCopy();
    }
    if (depth == Json.MAX_DEPTH) {
      throw refused(event, "is nested more than %d levels deep".formatted(Json.MAX_DEPTH));
    }
    count(event, 1);
    JsonNode read =
        switch (event) {
          case ScalarEvent scalar -> scalar(scalar);
          case MappingStartEvent mapping -> mapping(mapping, depth);
          default -> sequence((CollectionStartEvent) event, depth);
        };
    ((NodeEvent) event).getAnchor().ifPresent(anchor -> anchors.put(anchor, read));
    return read;
  }

  private static int size(JsonNode node) {
    return 1 + node.valueStream().mapToInt(YamlReader::size).sum();
  }

  private void count(Event event, int more) throws MalformedYamlException {
    values += more;
    if (values > Json.MAX_TOKENS) {
      throw refused(event, "has more than %d values".formatted(Json.MAX_TOKENS));
    }
  }

  private JsonNode mapping(MappingStartEvent event, int depth) throws MalformedYamlException {
    refuseTag(event, event.getTag().orElse(null));
    ObjectNode object = Json.object();
    for (Event key = events.next(); key.getEventId() != Event.ID.MappingEnd; key = events.next()) {
      if (!(key instanceof ScalarEvent name)) {
        throw refused(key, "has a key that isn't text");
      }
      refuseTag(key, name.getTag().orElse(null));
      if (name.isPlain() && name.getValue().equals("<<")) {
        throw refused(key, "has a merge key, which isn't read");
      }
      if (object.has(name.getValue())) {
        throw refused(key, "has a key twice");
      }
      count(key, 1);
      object.set(name.getValue(), value(events.next(), depth + 1));
    }
    return object;
  }

  private JsonNode sequence(CollectionStartEvent event, int depth) throws MalformedYamlException {
    refuseTag(event, event.getTag().orElse(null));
    ArrayNode array = Json.object().arrayNode();
    for (Event next = events.next();
        next.getEventId() != Event.ID.SequenceEnd;
        next = events.next()) {
      array.add(value(next, depth + 1));
    }
    return array;
  }

  private static JsonNode scalar(ScalarEvent event) throws MalformedYamlException {
    refuseTag(event, event.getTag().orElse(null));
    String text = event.getValue();
    if (!event.isPlain()) {
      return TextNode.valueOf(text);
    } else if (NULL.matcher(text).matches()) {
      return NullNode.getInstance();
    } else if (BOOLEAN.matcher(text).matches()) {
      return BooleanNode.valueOf(text.equalsIgnoreCase("true"));
    } else if (!NUMBER.matcher(text).matches()) {
      return TextNode.valueOf(text);
    }
    try {
      return Json.parse(text);
    } catch (MalformedJsonException e) {
      throw refused(event, String.valueOf(e.getMessage()));
    }
  }

  private static void refuseTag(Event event, @Nullable String tag) throws MalformedYamlException {
    if (tag != null) {
      throw refused(event, "has a tag, which isn't read");
    }
  }

  private static MalformedYamlException refused(Event event, String what) {
    return new MalformedYamlException(what, event.getStartMark());
  }
}
