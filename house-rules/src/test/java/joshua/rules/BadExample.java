package joshua.rules;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** A bad example: sources that break a rule, compiled by the test. */
final class BadExample {
  private static final Pattern PACKAGE = Pattern.compile("package ([a-z.]+);");
  private static final Pattern TYPE =
      Pattern.compile("(?:class|interface|record|enum) ([A-Za-z]+)");

  private BadExample() {}

  /** Compiles the sources, one file each, and reads the classes. */
  static JavaClasses compile(Path directory, String... sources) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("-d", directory.resolve("classes").toString()));
    for (String source : sources) {
      Path file =
          directory.resolve(
              first(PACKAGE, source).replace('.', '/') + "/" + first(TYPE, source) + ".java");
      Files.createDirectories(file.getParent());
      arguments.add(Files.writeString(file, source).toString());
    }
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    if (status != 0) {
      throw new IllegalArgumentException("the bad example doesn't even compile");
    }
    return new ClassFileImporter().importPath(directory.resolve("classes"));
  }

  private static String first(Pattern pattern, String source) {
    Matcher matcher = pattern.matcher(source);
    if (!matcher.find()) {
      throw new IllegalArgumentException("no " + pattern + " in: " + source);
    }
    return matcher.group(1);
  }
}
