package joshua.app.settings;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import joshua.kernel.SpellingSuggestion;
import joshua.service.admin.Setting;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Where a setting's value comes from where there is no flag: the environment ({@code
 * JOSHUA_GRACE_PORT}), then the settings file ({@code grace-port}), then the default.
 */
public final class SettingSources implements IDefaultValueProvider {
  private static final String PREFIX = "JOSHUA_";
  private static final String FILE = "settings-file";
  private static final String DEFAULT = "default";
  private static final String MASK = "********";
  private static final Path DEFAULT_FILE =
      Launcher.base().resolve("configs").resolve("joshua.properties");

  /** What later services will need; set, it is accepted and not used yet. */
  static final List<String> NOT_USED_YET =
      List.of("fiedler-db", "fiedler-db-password-file", "fiedler-db-user");

  private final Map<String, String> environment;
  private final Properties file;

  private SettingSources(Map<String, String> environment, Properties file) {
    this.environment = environment;
    this.file = file;
  }

  /**
   * Reads the settings file, if there is one.
   *
   * @throws IOException with a sentence for the user where a named one can't be read
   */
  public static SettingSources of(Map<String, String> environment) throws IOException {
    Properties properties = new Properties();
    Optional<Path> named = Optional.ofNullable(environment.get(variable(FILE))).map(Path::of);
    Path path = named.orElse(DEFAULT_FILE);
    if (named.isPresent() || Files.exists(path)) {
      try (Reader reader = Files.newBufferedReader(path)) {
        properties.load(reader);
      } catch (IOException | IllegalArgumentException e) {
        throw new IOException("The settings file %s can't be read (%s).".formatted(path, e), e);
      }
    }
    return new SettingSources(environment, properties);
  }

  /** {@code JOSHUA_GRACE_PORT} for {@code grace-port}. */
  public static String variable(String key) {
    return PREFIX + key.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  private static String key(String variable) {
    return variable.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    return argument.isOption() ? value(((OptionSpec) argument).longestName()) : null;
  }

  private @Nullable String value(String option) {
    String key = option.replaceFirst("^--", "");
    String set = environment.get(variable(key));
    return set != null ? set : file.getProperty(key);
  }

  /** Where the group is that commands without options of their own speak to. */
  public Path dataDirectory() {
    DataDirectoryOption option = new DataDirectoryOption();
    new CommandLine(option).setDefaultValueProvider(this).parseArgs();
    return option.dataDirectory();
  }

  /** The name on the bus of whoever types a command. */
  public String person() {
    String set = value("as");
    return set == null ? ofLogin(System.getProperty("user.name", "")) : set;
  }

  /** A login as a name; a user of a container may have none. */
  static String ofLogin(String login) {
    String name = login.replaceAll("[^A-Za-z0-9._:-]", "-").replaceFirst("^[^A-Za-z0-9]+", "");
    return name.isEmpty() ? "admin" : name;
  }

  /**
   * All settings with what a command runs with, those that somebody has set first; of those that
   * nothing uses yet, those alone. Secrets are masked.
   *
   * @param command after it has been parsed, if it has been given
   */
  public List<Setting> table(CommandSpec command) {
    Map<String, Setting> used = new TreeMap<>();
    for (OptionSpec option : command.options()) {
      String name = option.longestName().replaceFirst("^--", "");
      if (!option.required() && option.arity().max() > 0) {
        used.put(name, setting(name, option));
      }
    }
    List<Setting> table = new ArrayList<>(used.values());
    table.sort(Comparator.comparing(each -> each.source().equals(DEFAULT)));
    NOT_USED_YET.stream()
        .filter(name -> value(name) != null)
        .forEach(name -> table.add(new Setting(name, shown(name, value(name)), "not used yet")));
    return table;
  }

  private Setting setting(String name, OptionSpec option) {
    ParseResult parsed = option.command().commandLine().getParseResult();
    if (parsed != null && parsed.hasMatchedOption(option)) {
      String given = String.join(",", parsed.matchedOption(name).originalStringValues());
      return new Setting(name, shown(name, given), "flag");
    }
    String set = value(name);
    return set == null
        ? new Setting(name, shown(name, option.defaultValue()), DEFAULT)
        : new Setting(
            name,
            shown(name, set),
            environment.containsKey(variable(name)) ? "environment" : "file");
  }

  private static String shown(String name, @Nullable String value) {
    if (value == null) {
      return "none";
    }
    return name.endsWith("api-key") ? MASK : value.replaceFirst("://[^/]*@", "://" + MASK + "@");
  }

  /** Sentences about settings that don't exist, each with the nearest that does. */
  public List<String> unknown(Collection<String> options) {
    Set<String> known = new TreeSet<>(NOT_USED_YET);
    known.add(FILE);
    known.addAll(List.of("token-file", "as")); // of commands that call services
    options.forEach(option -> known.add(option.replaceFirst("^--", "")));
    List<String> problems = new ArrayList<>();
    for (String variable : new TreeSet<>(environment.keySet())) {
      if (variable.startsWith(PREFIX) && !known.contains(key(variable))) {
        problems.add(
            problem(
                variable,
                SpellingSuggestion.nearest(key(variable), known).map(SettingSources::variable)));
      }
    }
    for (String key : new TreeSet<>(file.stringPropertyNames())) {
      if (!known.contains(key)) {
        problems.add(problem(key, SpellingSuggestion.nearest(key, known)));
      }
    }
    return problems;
  }

  private static String problem(String name, Optional<String> nearest) {
    return "There is no setting %s%s."
        .formatted(name, nearest.map("; did you mean %s?"::formatted).orElse(""))
        .replace("?.", "?");
  }
}
