package joshua.kernel;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The values in force, read once: defaults, overridden by the settings file, the environment and
 * flags, in this order. All unknown names and bad values are reported together.
 */
public final class Settings {

  /** Where a value came from, weakest first. */
  public enum Source {
    DEFAULT,
    /** A default that was scaled down to fit the heap. */
    SCALED,
    FILE,
    ENVIRONMENT,
    FLAG
  }

  /** The faults of the settings, one sentence each. */
  public static final class InvalidSettingsException extends Exception {
    private static final long serialVersionUID = 1L;
    private final ArrayList<String> problems;

    public InvalidSettingsException(List<String> problems) {
      super(String.join("\n", problems));
      this.problems = new ArrayList<>(problems);
    }

    public List<String> problems() {
      return List.copyOf(problems);
    }
  }

  /**
   * The unchecked input.
   *
   * @param file keys of the settings file ({@code grace-port}), named {@code fileName} in messages
   * @param environment all of the environment; only {@code JOSHUA_…} is looked at
   * @param flags flags by key, without the dashes
   * @param home what defaults and the file are relative to
   * @param workingDirectory what the environment and flags are relative to
   */
  public record Given(
      Map<String, String> file,
      String fileName,
      Map<String, String> environment,
      Map<String, String> flags,
      Path home,
      Path workingDirectory) {}

  /** A rule about several settings together. */
  @FunctionalInterface
  public interface Rule {
    /**
     * Returns the faults.
     *
     * @param readable the settings that could be read; use {@link #find} on it
     * @return one sentence for each fault
     */
    List<String> problems(Settings readable);
  }

  private record Entry(String text, Source source, Object value) {}

  private static final String PREFIX = "JOSHUA_";

  private final List<Setting<?>> known;
  private final Map<String, Entry> entries;
  private final Path home;

  private Settings(List<Setting<?>> known, Map<String, Entry> entries, Path home) {
    this.known = known;
    this.entries = entries;
    this.home = home;
  }

  public static Settings read(List<Setting<?>> known, Given given) throws InvalidSettingsException {
    return read(known, given, readable -> List.of());
  }

  /** Reads everything, and checks {@code rule} as well. */
  public static Settings read(List<Setting<?>> known, Given given, Rule rule)
      throws InvalidSettingsException {
    List<String> problems = new ArrayList<>();
    rejectUnknown(known, given, problems);
    Map<String, Entry> entries = new LinkedHashMap<>();
    for (Setting<?> setting : known) {
      Entry entry = entry(setting, given, problems);
      if (entry != null) {
        entries.put(setting.key(), entry);
      }
    }
    Settings settings = new Settings(List.copyOf(known), entries, given.home());
    problems.addAll(rule.problems(settings));
    if (!problems.isEmpty()) {
      throw new InvalidSettingsException(problems);
    }
    return settings;
  }

  /** The same values, except defaults that were scaled down. */
  Settings withScaled(Map<Setting<?>, String> values) {
    Map<String, Entry> changed = new LinkedHashMap<>(entries);
    values.forEach((setting, text) ->
        changed.put(
            setting.key(),
            new Entry(text, Source.SCALED, setting.reader().read(text, Path.of("")))));
    return new Settings(known, changed, home);
  }

  /** The value of a setting that has a default. */
  public <T> T get(Setting<T> setting) {
    return find(setting)
        .orElseThrow(
            () -> new IllegalStateException(setting.key() + " has neither value nor default"));
  }

  /** The value of a setting that may be absent. */
  @SuppressWarnings(
      "unchecked") // The entry under a key was made by the reader of that key's setting.
  public <T> Optional<T> find(Setting<T> setting) {
    return Optional.ofNullable(entries.get(setting.key())).map(entry -> (T) entry.value());
  }

  public Source source(Setting<?> setting) {
    Entry entry = entries.get(setting.key());
    return entry == null ? Source.DEFAULT : entry.source();
  }

  /** Whether it was set by file, environment or flag. */
  public boolean isSet(Setting<?> setting) {
    Source source = source(setting);
    return source != Source.DEFAULT && source != Source.SCALED;
  }

  /** The same settings with one changed. */
  public <T> Settings with(Setting<T> setting, T value) {
    Map<String, Entry> changed = new LinkedHashMap<>(entries);
    changed.put(setting.key(), new Entry(value.toString(), source(setting), value));
    return new Settings(known, changed, home);
  }

  /** The value for printing: secrets masked, empty if absent. */
  public String printable(Setting<?> setting) {
    Entry entry = entries.get(setting.key());
    if (entry == null) {
      return "";
    }
    return setting.secret() ? "***" : entry.text();
  }

  /** What defaults and the settings file are relative to: Joshua's own directory. */
  public Path home() {
    return home;
  }

  public List<Setting<?>> known() {
    return known;
  }

  private static @Nullable Entry entry(Setting<?> setting, Given given, List<String> problems) {
    String flag = given.flags().get(setting.key());
    if (flag != null) {
      return read(setting, flag, Source.FLAG, given.workingDirectory(), setting.flag(), problems);
    }
    String variable = given.environment().get(setting.environmentName());
    if (variable != null && !variable.isEmpty()) {
      return read(
          setting,
          variable,
          Source.ENVIRONMENT,
          given.workingDirectory(),
          setting.environmentName(),
          problems);
    }
    String line = given.file().get(setting.key());
    if (line != null) {
      return read(
          setting,
          line,
          Source.FILE,
          given.home(),
          setting.key() + " in " + given.fileName(),
          problems);
    }
    String standard = setting.defaultText();
    return standard == null
        ? null
        : read(setting, standard, Source.DEFAULT, given.home(), setting.key(), problems);
  }

  private static @Nullable Entry read(
      Setting<?> setting,
      String text,
      Source source,
      Path base,
      String name,
      List<String> problems) {
    try {
      return new Entry(text, source, setting.reader().read(text.strip(), base));
    } catch (IllegalArgumentException e) {
      String shown = setting.secret() ? "" : " (it is \"" + text + "\")";
      problems.add(name + " " + e.getMessage() + shown);
      return null;
    }
  }

  private static void rejectUnknown(List<Setting<?>> known, Given given, List<String> problems) {
    List<String> variables = known.stream().map(Setting::environmentName).toList();
    given.environment().keySet().stream()
        .filter(name -> name.startsWith(PREFIX) && !variables.contains(name))
        .sorted()
        .forEach(name -> problems.add(unknown(name, variables, "")));
    List<String> keys = known.stream().map(Setting::key).toList();
    given.file().keySet().stream()
        .filter(key -> !keys.contains(key))
        .sorted()
        .forEach(key -> problems.add(unknown(key, keys, " in " + given.fileName())));
  }

  private static String unknown(String name, List<String> candidates, String where) {
    String hint =
        SpellingSuggestion.nearest(name, candidates)
            .map(nearest -> "; did you mean " + nearest + "?")
            .orElse("; joshua config lists them all");
    return name + " is not a setting" + where + hint;
  }
}
