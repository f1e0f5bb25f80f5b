package joshua.thought;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.kernel.ResourceText;
import joshua.kernel.Setting;
import joshua.kernel.Settings;

/**
 * The text of a MAD's {@code IMPERATOR.md}, which describes its Imperator (REQ-ADD-02).
 *
 * @param file the operator's file that it was read from; empty for the built-in one
 */
public record SystemPrompt(String text, Optional<Path> file) {
  /** The name of the file beside the MAD's classes. */
  public static final String FILE = "IMPERATOR.md";

  /** The description of {@link #json}. */
  public static final String SHOWN = "which system prompt the Imperator has";

  /** The maximum length of a system prompt. */
  static final int LONGEST = 65_536;

  private static final int LONGEST_CHARACTER = 4;

  public SystemPrompt {
    if (text.isBlank()) {
      throw new IllegalArgumentException(FILE + " is empty");
    }
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException(
          "%s has %d characters, and may have %d".formatted(FILE, text.length(), LONGEST));
    }
  }

  public SystemPrompt(String text) {
    this(text, Optional.empty());
  }

  /** Reads the one beside {@code mad} in its jar. */
  public static SystemPrompt of(Class<?> mad) {
    return ResourceText.beside(mad, FILE)
        .map(SystemPrompt::new)
        .orElseThrow(() ->
            new IllegalStateException("there is no %s beside %s".formatted(FILE, mad.getName())));
  }

  /**
   * Reads the configured file, or else the one beside {@code mad}.
   *
   * @throws Settings.InvalidSettingsException if the file can't be read, or isn't a system prompt
   */
  public static SystemPrompt from(Settings settings, Setting<Path> setting, Class<?> mad)
      throws Settings.InvalidSettingsException {
    Optional<Path> file = settings.find(setting);
    return file.isPresent() ? read(file.get(), setting) : of(mad);
  }

  private static SystemPrompt read(Path file, Setting<Path> setting)
      throws Settings.InvalidSettingsException {
    try {
      if (Files.size(file) > (long) LONGEST_CHARACTER * LONGEST) {
        throw invalid(file, setting, "is longer than %d characters".formatted(LONGEST));
      }
      String text = Files.readString(file);
      if (text.isBlank()) {
        throw invalid(file, setting, "is empty");
      }
      if (text.length() > LONGEST) {
        throw invalid(file, setting, "is longer than %d characters".formatted(LONGEST));
      }
      return new SystemPrompt(text, Optional.of(file));
    } catch (IOException e) {
      throw invalid(
          file, setting, "can't be read as UTF-8 (%s)".formatted(e.getClass().getSimpleName()));
    }
  }

  private static Settings.InvalidSettingsException invalid(
      Path file, Setting<Path> setting, String why) {
    return new Settings.InvalidSettingsException(
        List.of(
            "%s names %s, which %s. Name a file with the system prompt, or leave the setting out: then the %s that comes with Joshua counts."
                .formatted(setting.environmentName(), file, why, FILE)));
  }

  /** For {@code mad-state}: its source, its length, and its beginning. */
  public JsonNode json() {
    return Json.object()
        .put("file", file.map(Path::toString).orElse(null))
        .put("characters", text.length())
        .put("begins", text.strip().lines().findFirst().orElse(""));
  }
}
