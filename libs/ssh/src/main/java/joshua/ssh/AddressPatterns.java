package joshua.ssh;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The addresses from which a key may be used, as in OpenSSH's {@code from=}: addresses, {@code
 * 192.0.2.*}, {@code 2001:db8::/32}; a leading {@code !} excludes addresses, whatever else matches.
 * Host names aren't resolved, so they aren't allowed here.
 */
public final class AddressPatterns {
  /** The maximum number of patterns per key. */
  static final int MAX = 64;

  private static final Pattern WILDCARD = Pattern.compile("[0-9.*?]+");

  private sealed interface Place {
    boolean has(InetAddress address);
  }

  private record Block(InetAddress start, int bits) implements Place {
    @Override
    public boolean has(InetAddress address) {
      byte[] first = start.getAddress();
      byte[] bytes = address.getAddress();
      if (bytes.length != first.length) {
        return false;
      }
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >> (bit % 8);
        if ((bytes[bit / 8] & mask) != (first[bit / 8] & mask)) {
          return false;
        }
      }
      return true;
    }
  }

  private record Wildcard(Pattern pattern, boolean everything) implements Place {
    @Override
    public boolean has(InetAddress address) {
      return everything
          || (address instanceof Inet4Address
              && pattern.matcher(address.getHostAddress()).matches());
    }
  }

  private record Entry(boolean without, Place place) {}

  private final String text;
  private final List<Entry> entries;

  private AddressPatterns(String text, List<Entry> entries) {
    this.text = text;
    this.entries = List.copyOf(entries);
  }

  /** Reads {@code 192.0.2.0/24,!192.0.2.7}. */
  public static AddressPatterns read(String text) throws SshKey.UnfitKeyException {
    String[] words = text.split(",", -1);
    if (words.length > MAX) {
      throw new SshKey.UnfitKeyException("from= has at most %d patterns".formatted(MAX));
    }
    List<Entry> entries = new ArrayList<>();
    for (String word : words) {
      boolean without = word.startsWith("!");
      entries.add(new Entry(without, place(without ? word.substring(1) : word)));
    }
    return new AddressPatterns(text, entries);
  }

  private static Place place(String word) throws SshKey.UnfitKeyException {
    if (word.contains("*") || word.contains("?")) {
      if (!WILDCARD.matcher(word).matches()) {
        throw unfit(word, "wildcards are for IPv4 addresses; write a block, 2001:db8::/32");
      }
      String regex = word.replace(".", "\\.").replace("?", "[0-9.]").replace("*", "[0-9.]*");
      return new Wildcard(Pattern.compile(regex), word.equals("*"));
    }
    int slash = word.indexOf('/');
    InetAddress address = address(slash < 0 ? word : word.substring(0, slash), word);
    byte[] bytes = address.getAddress();
    int most = bytes.length * 8;
    if (slash < 0) {
      return new Block(address, most);
    }
    String after = word.substring(slash + 1);
    if (!after.matches("[0-9]{1,3}") || Integer.parseInt(after) > most) {
      throw unfit(word, "a block ends with /0 to /" + most);
    }
    int bits = Integer.parseInt(after);
    for (int bit = bits; bit < most; bit++) {
      if ((bytes[bit / 8] & (0x80 >> (bit % 8))) != 0) {
        throw unfit(word, "the address goes on behind its first %d bits".formatted(bits));
      }
    }
    return new Block(address, bits);
  }

  private static InetAddress address(String text, String word) throws SshKey.UnfitKeyException {
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      throw unfit(word, "it must be an IP address, 192.0.2.* or a block; names aren't looked up");
    }
  }

  private static SshKey.UnfitKeyException unfit(String word, String why) {
    return new SshKey.UnfitKeyException(
        "from= has \"%s\": %s".formatted(PrintableText.text(word), why));
  }

  /** Whether a client at this address may use the key. */
  public boolean have(InetAddress address) {
    boolean with = false;
    for (Entry entry : entries) {
      if (entry.place().has(address)) {
        if (entry.without()) {
          return false;
        }
        with = true;
      }
    }
    return with;
  }

  @Override
  public String toString() {
    return text;
  }
}
