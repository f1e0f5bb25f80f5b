package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import joshua.app.doctor.CheckFinding;
import joshua.app.doctor.DirectoryCheck;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the doctor on a disk without any room. */
class FullDiskIT {
  @TempDir Path directory;

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).start().waitFor();
  }

  @Test
  void theDoctorSaysInASentenceThatTheDiskIsFull() throws Exception {
    boolean mounted =
        run("mount", "-t", "tmpfs", "-o", "size=64k", "none", directory.toString()) == 0;
    TestRequirements.thing(
        mounted, "needs the right to mount a file system of its own (root, Linux)");
    try {
      try (OutputStream ballast = Files.newOutputStream(directory.resolve("ballast"))) {
        for (int i = 0; i < 128; i++) {
          ballast.write(new byte[1_024]);
        }
      } catch (IOException e) {
        assertThat(directory.resolve("ballast")).exists();
      }
      List<CheckFinding> findings =
          new DirectoryCheck(directory, directory.resolve("grace/admin.sock")).look();
      assertThat(findings.getFirst().found())
          .isEqualTo(
              "The disk with %s is full: nothing can be kept, and calls that would have to be are refused."
                  .formatted(directory));
      assertThat(findings.getFirst().check()).isEqualTo("disk");
      assertThat(findings.getFirst().remedy().orElseThrow()).startsWith("Make room");
    } finally {
      run("umount", directory.toString());
    }
  }
}
