package joshua.app;

import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import joshua.kernel.KnownSettings;
import joshua.kernel.Setting;
import joshua.kernel.Settings;

/** Loads the settings of one call: from the settings file, environment and flags. */
final class SettingsLoader {
  /** The largest settings file that is read. */
  static final int LARGEST_FILE = 1 << 20;

  private SettingsLoader() {}

  /**
   * Reads all settings.
   *
   * @param flags values by key
   * @param listens whether the settings of listeners must fit together
   * @param problemsBefore problems with the call found earlier, reported together with these
   * @throws Settings.InvalidSettingsException with everything that is wrong
   */
  static Settings load(
      ProcessEnvironment around,
      Map<String, String> flags,
      boolean listens,
      List<String> problemsBefore)
      throws Settings.InvalidSettingsException {
    List<String> problems = new ArrayList<>(problemsBefore);
    Path file = settingsFile(around, flags, problems);
    Map<String, String> lines = readFile(file, problems);
    Settings.Given given =
        new Settings.Given(
            lines,
            file.toString(),
            around.environment(),
            flags,
            around.home(),
            around.workingDirectory());
    Settings settings =
        Settings.read(
            KnownSettings.list(),
            given,
            readable -> {
              if (listens) {
                problems.addAll(bindProblems(readable));
              }
              return problems;
            });
    return withKeysBelowData(settings);
  }

  /** Unless the file is named, the list of keys is state, and is in the data directory. */
  private static Settings withKeysBelowData(Settings settings) {
    Setting<Path> keys = KnownSettings.SSH_AUTHORIZED_KEYS;
    if (settings.source(keys) != Settings.Source.DEFAULT
        || settings.source(KnownSettings.DATA_DIR) == Settings.Source.DEFAULT) {
      return settings;
    }
    return settings.with(keys, settings.get(KnownSettings.DATA_DIR).resolve("ssh/authorized_keys"));
  }

  private static Path settingsFile(
      ProcessEnvironment around, Map<String, String> flags, List<String> problems) {
    Setting<Path> setting = KnownSettings.SETTINGS_FILE;
    String flag = flags.get(setting.key());
    String variable = around.environment().getOrDefault(setting.environmentName(), "");
    String named = flag != null ? flag : variable;
    if (named.isEmpty()) {
      return around.home().resolve(String.valueOf(setting.defaultText()));
    }
    Path file = around.workingDirectory().resolve(named.strip());
    if (!Files.exists(file)) {
      problems.add(
          "%s names %s, which doesn't exist"
              .formatted(flag != null ? setting.flag() : setting.environmentName(), file));
    }
    return file;
  }

  private static Map<String, String> readFile(Path file, List<String> problems) {
    Map<String, String> lines = new LinkedHashMap<>();
    if (!Files.exists(file)) {
      return lines;
    }
    Set<String> twice = new HashSet<>();
    Properties reading =
        new Properties() {
          private static final long serialVersionUID = 1L;

          @Override
          public synchronized Object put(Object key, Object value) {
            if (lines.put((String) key, (String) value) != null) {
              twice.add((String) key);
            }
            return value;
          }
        };
    try {
      if (Files.size(file) > LARGEST_FILE) {
        problems.add("%s is larger than %d bytes".formatted(file, LARGEST_FILE));
        return lines;
      }
      reading.load(new StringReader(Files.readString(file)));
    } catch (IOException | IllegalArgumentException e) {
      problems.add("%s can't be read as UTF-8 lines of key=value (%s)".formatted(file, e));
    }
    twice.stream().sorted().forEach(key -> problems.add(key + " stands twice in " + file));
    if (lines.remove(KnownSettings.SETTINGS_FILE.key()) != null) {
      problems.add(
          KnownSettings.SETTINGS_FILE.key() + " can't be set in the settings file " + file);
    }
    return lines;
  }

  /** What doesn't fit together in the settings of listeners: a sentence each. */
  static List<String> bindProblems(Settings settings) {
    Optional<String> open =
        settings
            .find(KnownSettings.BIND)
            .filter(bind -> !InetAddress.ofLiteral(bind).isLoopbackAddress());
    if (open.isEmpty() || settings.find(KnownSettings.TOKENS_FILE).isPresent()) {
      return List.of();
    }
    return List.of(
        "%s is %s, which others can reach, and there is no %s to tell them apart: set one, or bind to 127.0.0.1"
            .formatted(
                KnownSettings.BIND.environmentName(),
                open.get(),
                KnownSettings.TOKENS_FILE.environmentName()));
  }
}
