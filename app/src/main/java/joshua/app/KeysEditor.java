package joshua.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import joshua.kernel.Role;
import joshua.ssh.AuthorizedKey;
import joshua.ssh.AuthorizedKeys;
import joshua.ssh.SshKey;

/**
 * Edits the list of keys that may log in; each change returns a sentence that describes it
 * (REQ-JS-06).
 */
record KeysEditor(KeysFile file) {

  /** A key with the number of its line. */
  private record Numbered(int line, AuthorizedKeys.Line.Usable usable) {
    AuthorizedKey key() {
      return usable.key();
    }

    String text() {
      return "%s on line %d (%s, %s)"
          .formatted(key().name(), line, key().role().word(), key().key().fingerprint());
    }
  }

  /** Allows a key to log in. */
  String add(PublicKeyText given, Role role, Optional<String> from, Optional<String> name)
      throws RequestRefusedException, ServiceUnavailableException, InterruptedException {
    String line = given.line(role, from, name);
    AuthorizedKeys after =
        file.change(before -> {
          refuseDuplicate(before, given.key());
          return before.with(line);
        });
    return "added " + numbered(after).getLast().text();
  }

  /** Revokes every key of that name, or that one key. */
  String revoke(String which)
      throws RequestRefusedException, ServiceUnavailableException, InterruptedException {
    List<Numbered> revoked = new ArrayList<>();
    file.change(before -> {
      revoked.addAll(find(before, which));
      AuthorizedKeys after = before;
      for (Numbered each : revoked) {
        after = after.without(each.key().key());
      }
      return after;
    });
    return revoked.stream().map(each -> "revoked " + each.text()).collect(Collectors.joining("\n"));
  }

  /** Replaces one key with another, keeping its name and options. */
  String rotate(String which, PublicKeyText given)
      throws RequestRefusedException, ServiceUnavailableException, InterruptedException {
    List<String> done = new ArrayList<>();
    AuthorizedKeys after =
        file.change(before -> {
          List<Numbered> found = find(before, which);
          if (found.size() > 1) {
            throw new RequestRefusedException(
                "%s are several keys: %s. Name one by its fingerprint, or revoke those that aren't needed."
                    .formatted(
                        which,
                        found.stream().map(Numbered::text).collect(Collectors.joining("; "))));
          }
          refuseDuplicate(before, given.key());
          done.add(found.getFirst().text());
          return before.replacing(
              found.getFirst().key().key(), rotated(found.getFirst().usable(), given.key()));
        });
    Numbered now =
        numbered(after).stream()
            .filter(each -> each.key().key().equals(given.key()))
            .findFirst()
            .orElseThrow();
    return "replaced %s%nby %s".formatted(done.getFirst(), now.text());
  }

  /** The text before and after the key stays, and so does its name. */
  private static String rotated(AuthorizedKeys.Line.Usable line, SshKey key)
      throws RequestRefusedException {
    SshKey old = line.key().key();
    int begin = line.text().indexOf(old.base64());
    int type = begin < 0 ? -1 : line.text().lastIndexOf(old.type(), begin);
    if (type < 0) {
      throw new RequestRefusedException(
          "The line of that key is written unusually; change it by hand.");
    }
    return line.text().substring(0, type)
        + key
        + line.text().substring(begin + old.base64().length());
  }

  private void refuseDuplicate(AuthorizedKeys keys, SshKey key) throws RequestRefusedException {
    Optional<Numbered> there =
        numbered(keys).stream().filter(each -> each.key().key().equals(key)).findFirst();
    if (there.isPresent()) {
      throw new RequestRefusedException(
          "That key is there already: %s.".formatted(there.get().text()));
    }
  }

  private List<Numbered> find(AuthorizedKeys keys, String which) throws RequestRefusedException {
    List<Numbered> found =
        numbered(keys).stream()
            .filter(each ->
                each.key().name().equals(which) || each.key().key().fingerprint().equals(which))
            .toList();
    if (found.isEmpty()) {
      throw new RequestRefusedException(
          "No key in %s has the name or fingerprint %s; joshua keys list shows them."
              .formatted(file.file(), which));
    }
    return found;
  }

  private static List<Numbered> numbered(AuthorizedKeys keys) {
    List<Numbered> numbered = new ArrayList<>();
    List<AuthorizedKeys.Line> lines = keys.lines();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i) instanceof AuthorizedKeys.Line.Usable usable) {
        numbered.add(new Numbered(i + 1, usable));
      }
    }
    return numbered;
  }
}
