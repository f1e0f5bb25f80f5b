package joshua.app.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import joshua.ssh.socket.AdminSocket;

/**
 * Checks the data directory and its disk: that it is writable, that there is room, that SQLite can
 * lock, and that the admin socket's path isn't too long.
 *
 * @param data it may not exist yet
 * @param socket the longest path of an admin socket
 */
public record DirectoryCheck(Path data, Path socket) implements HealthCheck {
  private static final String DIRECTORY = "data directory";
  private static final long NO_ROOM = 256L << 20;
  private static final long LITTLE_ROOM = 1L << 30;

  /** On these, SQLite's write-ahead log doesn't work: it needs memory shared between processes. */
  private static final Pattern NETWORK =
      Pattern.compile("nfs.*|cifs|smb.*|9p|afs|fuse\\.(sshfs|glusterfs|s3fs)");

  @Override
  public List<CheckFinding> look() {
    List<CheckFinding> findings = new ArrayList<>();
    Path there = existing(data.toAbsolutePath());
    boolean made = Files.isDirectory(data);
    try {
      write(there);
      findings.add(
          CheckFinding.ok(
              DIRECTORY,
              made ? data + " can be written to" : data + " isn't there yet; a start makes it"));
      findings.addAll(disk(there));
    } catch (IOException e) {
      findings.addAll(unwritable(there, e));
    }
    findings.add(socketPath());
    return findings;
  }

  /** A full disk isn't a matter of permissions. */
  private static List<CheckFinding> unwritable(Path there, IOException fault) {
    List<CheckFinding> findings = new ArrayList<>();
    if (isFull(there, fault)) {
      findings.add(
          CheckFinding.bad(
              "disk",
              "The disk with %s is full: nothing can be kept, and calls that would have to be are refused."
                  .formatted(there),
              "Make room, at least %s; nothing needs repair."
                  .formatted(ByteSizes.text(LITTLE_ROOM))));
    } else {
      findings.add(
          CheckFinding.bad(
              DIRECTORY,
              "%s can't be written to (%s).".formatted(there, fault.getClass().getSimpleName()),
              "Make it writable for the user that Joshua runs as, or set JOSHUA_DATA_DIR to another."));
    }
    return findings;
  }

  private static boolean isFull(Path there, IOException fault) {
    try {
      return String.valueOf(fault.getMessage()).contains("No space left on device")
          || Files.getFileStore(there).getUsableSpace() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static Path existing(Path path) {
    Path there = path;
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    return there;
  }

  private static void write(Path directory) throws IOException {
    Path tried = Files.createTempFile(directory, "doctor.", ".tmp");
    try {
      Files.write(tried, new byte[] {1});
    } finally {
      Files.delete(tried);
    }
  }

  private static List<CheckFinding> disk(Path directory) throws IOException {
    FileStore disk = Files.getFileStore(directory);
    List<CheckFinding> findings = new ArrayList<>();
    findings.add(room(disk, disk.getUsableSpace()));
    if (NETWORK.matcher(disk.type()).matches()) {
      findings.add(
          CheckFinding.bad(
              "disk",
              "%s is on %s, a file system of the network.".formatted(directory, disk.type()),
              "Set JOSHUA_DATA_DIR to a disk of this machine: SQLite can't keep its log elsewhere."));
    }
    return findings;
  }

  private static CheckFinding room(FileStore disk, long room) {
    String found =
        "%s of room on %s (%s)".formatted(ByteSizes.text(room), disk.name(), disk.type());
    if (room >= LITTLE_ROOM) {
      return CheckFinding.ok("disk", found);
    }
    String remedy =
        "Make room, at least %s, or set JOSHUA_DATA_DIR to a larger disk."
            .formatted(ByteSizes.text(LITTLE_ROOM));
    return room < NO_ROOM
        ? CheckFinding.bad("disk", found + "; soon nothing can be kept", remedy)
        : CheckFinding.warning("disk", found, remedy);
  }

  private CheckFinding socketPath() {
    int length = socket.toAbsolutePath().toString().getBytes(UTF_8).length;
    String found = "%s has %d bytes".formatted(socket.toAbsolutePath(), length);
    return length <= AdminSocket.LONGEST_PATH
        ? CheckFinding.ok("admin socket", found)
        : CheckFinding.bad(
            "admin socket",
            "%s, and a socket's path has at most %d.".formatted(found, AdminSocket.LONGEST_PATH),
            "Set JOSHUA_DATA_DIR to a directory with a shorter path.");
  }
}
