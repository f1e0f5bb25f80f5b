package joshua.horace.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Present;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.DocumentEndEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ImplicitTuple;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.events.StreamEndEvent;
import org.snakeyaml.engine.v2.events.StreamStartEvent;

/**
 * Writes JSON as YAML that readers of 1.1 and of 1.2 read alike: text is plain only where neither
 * could take it for something else.
 */
public final class YamlWriter {
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z]([A-Za-z0-9 _./-]*[A-Za-z0-9_./-])?");
  private static final Pattern WORD =
      Pattern.compile("yes|no|on|off|y|n|true|false|null", Pattern.CASE_INSENSITIVE);
  private static final Pattern ODD =
      Pattern.compile("[\\p{Cntrl}&&[^\n]]|[\u0085\u2028\u2029\ufeff]");
  private static final DumpSettings SETTINGS =
      DumpSettings.builder().setIndent(2).setWidth(120).build();
  private static final ImplicitTuple NO_TAG = new ImplicitTuple(true, true);

  private final List<Event> events = new ArrayList<>();

  private YamlWriter() {}

  public static String write(JsonNode value) {
    YamlWriter writer = new YamlWriter();
    writer.events.add(new StreamStartEvent());
    writer.events.add(new DocumentStartEvent(false, Optional.empty(), Map.of()));
    writer.add(value);
    writer.events.add(new DocumentEndEvent(false));
    writer.events.add(new StreamEndEvent());
    String yaml = new Present(SETTINGS).emitToString(writer.events.iterator());
    // Readers of 1.1 take them for breaks of lines.
    return yaml.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
  }

  private void add(JsonNode value) {
    switch (value) {
      case ObjectNode object -> {
        events.add(new MappingStartEvent(Optional.empty(), Optional.empty(), true, style(object)));
        object
            .properties()
            .forEach(member -> {
              addText(member.getKey(), true);
              add(member.getValue());
            });
        events.add(new MappingEndEvent());
      }
      case ArrayNode array -> {
        events.add(new SequenceStartEvent(Optional.empty(), Optional.empty(), true, style(array)));
        array.forEach(this::add);
        events.add(new SequenceEndEvent());
      }
      default -> {
        if (value.isTextual()) {
          addText(value.textValue(), false);
        } else { // 1e3 is a number to readers of 1.2 alone
          boolean exponent = value.isBigDecimal() && value.asText().indexOf('E') >= 0;
          String text = exponent ? value.decimalValue().toPlainString() : value.asText();
          addScalar(text, ScalarStyle.PLAIN);
        }
      }
    }
  }

  private static FlowStyle style(JsonNode collection) {
    return collection.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK;
  }

  private void addText(String text, boolean key) {
    boolean plain = PLAIN.matcher(text).matches() && !WORD.matcher(text).matches();
    boolean lines = text.contains("\n");
    boolean odd = ODD.matcher(text).find();
    addScalar(
        text,
        plain
            ? ScalarStyle.PLAIN
            : !lines
                ? (odd ? ScalarStyle.DOUBLE_QUOTED : ScalarStyle.SINGLE_QUOTED)
                : key || odd ? ScalarStyle.DOUBLE_QUOTED : ScalarStyle.LITERAL);
  }

  private void addScalar(String text, ScalarStyle style) {
    events.add(new ScalarEvent(Optional.empty(), Optional.empty(), NO_TAG, text, style));
  }
}
