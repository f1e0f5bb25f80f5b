package joshua.rules;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Checks how long files and methods are, as measured by javac's own parser. */
final class SourceSizes {
  static final int LONGEST_FILE = 400;
  static final int LONGEST_METHOD = 60;

  private SourceSizes() {}

  /** One line for each file and method that is too long. */
  static List<String> tooLong(List<Path> files) {
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      long lines = ProjectFiles.read(file).lines().count();
      if (lines > LONGEST_FILE) {
        found.add("%s has %d lines".formatted(ProjectFiles.name(file), lines));
      }
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(files));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        new Methods(unit, positions, found).scan(unit, null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private static final class Methods extends TreePathScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<String> found;

    Methods(CompilationUnitTree unit, SourcePositions positions, List<String> found) {
      this.unit = unit;
      this.positions = positions;
      this.found = found;
    }

    @Override
    public Void visitMethod(MethodTree method, Void nothing) {
      long first = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, method));
      long last = unit.getLineMap().getLineNumber(positions.getEndPosition(unit, method));
      if (last - first + 1 > LONGEST_METHOD) {
        found.add(
            "%s in %s has %d lines"
                .formatted(
                    method.getName(),
                    ProjectFiles.name(Path.of(unit.getSourceFile().toUri())),
                    last - first + 1));
      }
      return super.visitMethod(method, nothing);
    }
  }
}
