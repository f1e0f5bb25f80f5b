package joshua.network;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.kernel.SpellingSuggestion;
import org.jspecify.annotations.Nullable;

/**
 * A record as JSON: its schema, and reading it. Components become members in snake_case, in their
 * order. The schema is flat, without references, and of the few types below; anything else is a
 * programming error, found when the tool is made.
 *
 * <p>Schemas are made here rather than by a library since those that there are take over a second
 * at their first schema and turn open objects into empty ones.
 */
final class RecordForm<R extends Record> {
  private static final SnakeCaseStrategy SNAKE_CASE = new SnakeCaseStrategy();

  private record Component(
      String name, JsonForm form, boolean nullable, boolean required, String text) {}

  private final Constructor<R> constructor;
  private final Map<String, Component> components = new LinkedHashMap<>();
  private final boolean closed;

  private RecordForm(Class<R> type, boolean input) {
    this.closed = input;
    RecordComponent[] declared = type.getRecordComponents();
    Class<?>[] parameters = new Class<?>[declared.length];
    for (int i = 0; i < declared.length; i++) {
      parameters[i] = declared[i].getType();
      Component component = component(declared[i], input);
      components.put(component.name(), component);
    }
    try {
      constructor = type.getDeclaredConstructor(parameters);
      constructor.setAccessible(true);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("a record has its canonical constructor", e);
    }
  }

  /** What a tool takes: a nullable component may be left out, and others are refused. */
  static <R extends Record> RecordForm<R> ofInput(Class<R> type) {
    return new RecordForm<>(type, true);
  }

  /** What a tool answers: a component is left out where {@link JsonInclude} says so. */
  static <R extends Record> RecordForm<R> ofOutput(Class<R> type) {
    return new RecordForm<>(type, false);
  }

  private static Component component(RecordComponent declared, boolean input) {
    Member member = declared.getAnnotation(Member.class);
    Name name = declared.getAnnotation(Name.class);
    boolean nullable = declared.getAnnotatedType().isAnnotationPresent(Nullable.class);
    boolean omitted = includes(declared) != JsonInclude.Include.ALWAYS;
    JsonProperty named = declared.getAccessor().getAnnotation(JsonProperty.class);
    return new Component(
        named == null ? SNAKE_CASE.translate(declared.getName()) : named.value(),
        name == null ? form(declared.getGenericType(), member, input) : JsonForm.name(),
        nullable && (input || !omitted),
        !nullable || (!input && !omitted),
        name != null ? name.value() : member == null ? "" : member.value());
  }

  private static JsonInclude.Include includes(RecordComponent declared) {
    JsonInclude own = declared.getAccessor().getAnnotation(JsonInclude.class);
    JsonInclude all = declared.getDeclaringRecord().getAnnotation(JsonInclude.class);
    return own != null ? own.value() : all != null ? all.value() : JsonInclude.Include.ALWAYS;
  }

  private static JsonForm form(Type type, @Nullable Member member, boolean input) {
    long min = member == null ? Long.MIN_VALUE : member.min();
    long max = member == null ? Long.MAX_VALUE : member.max();
    String example = member == null ? "" : member.example();
    if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      return JsonForm.list(form(list.getActualTypeArguments()[0], null, input), min, max, example);
    }
    if (type instanceof ParameterizedType map && map.getRawType() == Map.class && !input) {
      return JsonForm.openObject(example);
    }
    if (!(type instanceof Class<?> plain)) {
      throw new IllegalArgumentException("no schema for " + type);
    }
    if (plain == String.class) {
      return member == null
          ? JsonForm.text(min, max, "", "")
          : JsonForm.text(min, max, member.pattern(), member.rule());
    }
    if (plain == int.class || plain == Integer.class) {
      return JsonForm.whole(min, max, true);
    }
    if (plain == long.class || plain == Long.class) {
      return JsonForm.whole(min, max, false);
    }
    if (plain == double.class || plain == Double.class) {
      return JsonForm.decimal();
    }
    if (plain == boolean.class || plain == Boolean.class) {
      return JsonForm.flag();
    }
    if (plain == Instant.class && !input) {
      return JsonForm.text(min, max, "", "");
    }
    if (plain == UUID.class) {
      return JsonForm.uuid();
    }
    if (plain == ObjectNode.class || plain == RawJson.class) {
      return JsonForm.openObject(example);
    }
    if (plain.isEnum()) {
      return JsonForm.choice(plain);
    }
    if (plain.isRecord()) {
      return JsonForm.members(new RecordForm<>(plain.asSubclass(Record.class), input));
    }
    throw new IllegalArgumentException("no schema for " + type);
  }

  /** A JSON Schema of 2020-12. */
  ObjectNode schema() {
    ObjectNode schema = Json.object().put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    ArrayNode required = schema.arrayNode();
    for (Component component : components.values()) {
      ObjectNode form = component.form().schema().deepCopy();
      if (component.nullable()) {
        // Two branches, since some model providers don't take a list of types.
        ObjectNode either = Json.object();
        either.withArray("anyOf").add(form).addObject().put("type", "null");
        form = either;
      }
      if (!component.text().isEmpty()) {
        form.put("description", component.text());
      }
      properties.set(component.name(), form);
      if (component.required()) {
        required.add(component.name());
      }
    }
    if (!required.isEmpty()) {
      schema.set("required", required);
    }
    return closed ? schema.put("additionalProperties", false) : schema;
  }

  String memberNames() {
    return String.join(", ", components.keySet());
  }

  /**
   * Reads an input: as the schema says, or else as models write it, where one meaning is left.
   *
   * @throws InvalidInputException with a sentence for whoever wrote it
   */
  R read(ObjectNode input) throws InvalidInputException {
    try {
      return read(input, "", false);
    } catch (InvalidInputException e) {
      return read(input, "", true);
    }
  }

  R read(ObjectNode input, String prefix, boolean leniently) throws InvalidInputException {
    List<@Nullable Object> arguments = new ArrayList<>(components.size());
    int found = 0;
    for (Component component : components.values()) {
      JsonNode node = input.get(component.name());
      found += node == null ? 0 : 1;
      arguments.add(argument(component, node, prefix + component.name(), leniently));
    }
    if (found < input.size()) {
      throw unknownMember(input, prefix);
    }
    try {
      return constructor.newInstance(arguments.toArray());
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw new InvalidInputException(String.valueOf(refused.getMessage()));
      }
      throw new IllegalStateException("a record can't be made", e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a record can't be made", e);
    }
  }

  private @Nullable Object argument(
      Component component, @Nullable JsonNode node, String at, boolean leniently)
      throws InvalidInputException {
    if (node != null && !(node.isNull() && component.nullable())) {
      return component.form().read(node, at, leniently);
    }
    if (component.required()) {
      throw new InvalidInputException(
          "%s is missing; it %s".formatted(at, component.form().rule()));
    }
    return null;
  }

  private InvalidInputException unknownMember(ObjectNode input, String prefix) {
    List<String> unknown = new ArrayList<>();
    input
        .fieldNames()
        .forEachRemaining(name -> {
          if (!components.containsKey(name)) {
            unknown.add(name);
          }
        });
    String name = unknown.getFirst();
    Optional<String> nearest = SpellingSuggestion.nearest(name, components.keySet());
    return new InvalidInputException(
        "%s is not a member that this takes%s; it takes %s"
            .formatted(
                prefix + JsonForm.excerpt(name),
                nearest.map(" (did you mean %s?)"::formatted).orElse(""),
                memberNames()));
  }
}
