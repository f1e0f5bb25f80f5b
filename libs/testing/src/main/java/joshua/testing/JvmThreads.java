package joshua.testing;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The threads of this JVM by id, including virtual ones. */
final class JvmThreads {
  private static final Pattern HEADING =
      Pattern.compile("^#(\\d+) \"(.*?)\".*$", Pattern.MULTILINE);

  private JvmThreads() {}

  static Map<Long, String> alive() {
    try (TempDirectory directory = TempDirectory.create("threads")) {
      Path dump = directory.path().resolve("threads.txt");
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
      Map<Long, String> threads = new TreeMap<>();
      Matcher heading = HEADING.matcher(Files.readString(dump));
      while (heading.find()) {
        threads.put(Long.parseLong(heading.group(1)), heading.group(2));
      }
      return threads;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
