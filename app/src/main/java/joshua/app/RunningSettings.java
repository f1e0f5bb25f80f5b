package joshua.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import joshua.kernel.Json;
import joshua.kernel.KnownSettings;
import joshua.kernel.Setting;
import joshua.kernel.Settings;
import joshua.ssh.AdminConsole;
import joshua.ssh.ExitStatus;
import joshua.ssh.socket.AdminSocketClient;

/**
 * The settings that a running MAD on the data directory uses, as it reports them. Secrets stay with
 * the MAD: it only reports that they are set, and here they have this command's own values.
 *
 * @param mad that was asked
 * @param others environment names of settings that this command itself has different values for
 * @param unknown secrets that are set there, and not here
 */
record RunningSettings(
    String mad, Settings settings, List<String> others, List<Setting<?>> unknown) {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final List<String> VERB = List.of("mad-config", "-o", "json");

  RunningSettings {
    others = List.copyOf(others);
    unknown = List.copyOf(unknown);
  }

  boolean isUnknown(Setting<?> setting) {
    return unknown.contains(setting);
  }

  /** Asks the MADs one by one; empty if none returns anything readable. */
  static Optional<RunningSettings> ask(Settings own, ProcessEnvironment around) {
    for (String mad : KnownMad.names()) {
      Optional<RunningSettings> answer =
          answer(own, mad).flatMap(said -> new Reading(own, around, said).settings(mad));
      if (answer.isPresent()) {
        return answer;
      }
    }
    return Optional.empty();
  }

  private static Optional<JsonNode> answer(Settings own, String mad) {
    StringBuilder out = new StringBuilder();
    try (AdminSocketClient client = AdminSocketClient.connect(AdminSockets.file(own, mad))) {
      Thread patience = Thread.ofVirtual().start(() -> closeLater(client));
      try {
        return client.run(VERB, new Listening(out)) == ExitStatus.OK.number()
            ? Optional.of(Json.parse(out.toString()).path("settings"))
            : Optional.empty();
      } finally {
        patience.interrupt();
      }
    } catch (AdminSocketClient.NoServerException | Json.MalformedJsonException e) {
      return Optional.empty();
    }
  }

  private static void closeLater(AdminSocketClient client) {
    try {
      Thread.sleep(PATIENCE);
      client.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stores the answer. */
  private record Listening(StringBuilder answer) implements AdminConsole {
    @Override
    public void out(String text) {
      answer.append(text);
    }

    @Override
    public void err(String text) {
      // Remarks are for people.
    }

    @Override
    public boolean gone() {
      return false;
    }

    @Override
    public Optional<Size> terminal() {
      return Optional.empty();
    }
  }

  /** Turns the answer into settings. */
  private record Reading(
      Settings own,
      ProcessEnvironment around,
      JsonNode said,
      Map<Settings.Source, Map<String, String>> values,
      List<String> others,
      List<Setting<?>> unknown) {
    Reading(Settings own, ProcessEnvironment around, JsonNode said) {
      this(own, around, said, new HashMap<>(), new ArrayList<>(), new ArrayList<>());
    }

    Optional<RunningSettings> settings(String mad) {
      Map<String, Setting<?>> known =
          own.known().stream().collect(Collectors.toMap(Setting::key, Function.identity()));
      try {
        for (JsonNode row : said) {
          Setting<?> setting = known.get(row.path("key").asText());
          if (setting != null && !kept().contains(setting)) {
            take(setting, row);
          }
        }
        for (Setting<?> setting : kept()) {
          own.find(setting)
              .ifPresent(value -> put(setting, Settings.Source.ENVIRONMENT, value.toString()));
        }
        Settings.Given given =
            new Settings.Given(
                of(Settings.Source.FILE),
                own.get(KnownSettings.SETTINGS_FILE).toString(),
                of(Settings.Source.ENVIRONMENT),
                of(Settings.Source.FLAG),
                around.home(),
                around.workingDirectory());
        return Optional.of(
            new RunningSettings(mad, Settings.read(own.known(), given), others, unknown));
      } catch (Settings.InvalidSettingsException | IllegalArgumentException e) {
        // From another build, whose values mean nothing here.
        return Optional.empty();
      }
    }

    /** Settings that stay the command line's own: its token, and a Redis that it names itself. */
    private List<Setting<?>> kept() {
      return own.isSet(KnownSettings.REDIS_URL)
          ? List.of(
              KnownSettings.TOKEN_FILE,
              KnownSettings.REDIS_URL,
              KnownSettings.REDIS_PASSWORD_FILE,
              KnownSettings.REDIS_CA_FILE)
          : List.of(KnownSettings.TOKEN_FILE);
    }

    private Map<String, String> of(Settings.Source source) {
      return values.computeIfAbsent(source, any -> new HashMap<>());
    }

    private void take(Setting<?> setting, JsonNode row) {
      Settings.Source source =
          Settings.Source.valueOf(row.path("source").asText("default").toUpperCase(Locale.ROOT));
      String text = row.path("path").asText(row.path("value").asText());
      String ours = own.find(setting).map(Object::toString).orElse("");
      boolean isSet = source != Settings.Source.DEFAULT && source != Settings.Source.SCALED;
      if (setting.secret()) {
        if (isSet && ours.isEmpty()) {
          unknown.add(setting);
        } else if (isSet) {
          put(setting, source, ours);
        }
        if (isSet != own.isSet(setting)) {
          others.add(setting.environmentName());
        }
        return;
      }
      boolean path = row.has("path");
      if (isSet || (path && !text.equals(ours))) {
        put(setting, isSet ? source : Settings.Source.FILE, text);
      }
      String shown = path ? ours : own.printable(setting);
      if ((isSet || own.isSet(setting)) && !Objects.equals(text, shown)) {
        others.add(setting.environmentName());
      }
    }

    private void put(Setting<?> setting, Settings.Source source, String text) {
      of(source)
          .put(
              source == Settings.Source.ENVIRONMENT ? setting.environmentName() : setting.key(),
              text);
    }
  }
}
