package joshua.app;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import joshua.ssh.OutputFormat;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option {@code -o}, as every subcommand with an answer has it. */
final class FormatOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      converter = Reader.class,
      completionCandidates = Formats.class,
      description = "table or json. Default: table")
  private OutputFormat format = OutputFormat.TABLE;

  /** Whether a program reads the answer. */
  boolean json() {
    return format == OutputFormat.JSON;
  }

  /** {@code text} is a synonym of {@code table} where an answer isn't a table. */
  static final class Reader implements ITypeConverter<OutputFormat> {
    @Override
    public OutputFormat convert(String word) {
      return switch (word.toLowerCase(Locale.ROOT)) {
        case "table", "text" -> OutputFormat.TABLE;
        case "json" -> OutputFormat.JSON;
        default -> throw new TypeConversionException("it must be table or json");
      };
    }
  }

  /** The values that completion offers. */
  static final class Formats implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("table", "json").iterator();
    }
  }
}
