package joshua.ssh;

import java.math.BigInteger;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The addresses from which a key may be used, as in OpenSSH's {@code from=}: addresses, {@code
 * 192.0.2.*}, {@code 2001:db8::/32}; a leading {@code !} excludes addresses, whatever else matches.
 * Host names aren't resolved, so they aren't allowed here.
 */
public final class AddressPatterns {
  /** The maximum number of patterns per key. */
  static final int MAX = 64;

  private static final String EVERYTHING = "*";
  private static final Pattern WILDCARD = Pattern.compile("[0-9.*?]+");

  private record Entry(boolean excludes, Predicate<InetAddress> addresses) {}

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
      boolean excludes = word.startsWith("!");
      String pattern = excludes ? word.substring(1) : word;
      entries.add(
          new Entry(
              excludes,
              pattern.matches(".*[*?].*") ? wildcard(pattern) : block(pattern.split("/", 2))));
    }
    return new AddressPatterns(text, entries);
  }

  private static Predicate<InetAddress> wildcard(String word) throws SshKey.UnfitKeyException {
    if (word.equals(EVERYTHING)) {
      return _ -> true;
    }
    if (!WILDCARD.matcher(word).matches()) {
      throw unfit(word, "wildcards are for IPv4 addresses; write a block, 2001:db8::/32");
    }
    String regex = word.replace(".", "\\.").replace("?", "[0-9.]").replace("*", "[0-9.]*");
    Predicate<String> matches = Pattern.compile(regex).asMatchPredicate();
    return address -> matches.test(address.getHostAddress());
  }

  /** An address, or a block of addresses: an address and the number of its leading bits. */
  private static Predicate<InetAddress> block(String[] parts) throws SshKey.UnfitKeyException {
    String word = String.join("/", parts);
    byte[] start = address(parts[0], word).getAddress();
    int bits = start.length * Byte.SIZE;
    int leading = bits;
    if (parts.length > 1) {
      if (!parts[1].matches("[0-9]{1,3}") || Integer.parseInt(parts[1]) > bits) {
        throw unfit(word, "a block ends with /0 to /" + bits);
      }
      leading = Integer.parseInt(parts[1]);
    }
    int free = bits - leading;
    BigInteger network = new BigInteger(1, start).shiftRight(free);
    if (!network.shiftLeft(free).equals(new BigInteger(1, start))) {
      throw unfit(word, "the address goes on behind its first %d bits".formatted(leading));
    }
    return address ->
        address.getAddress().length == start.length
            && new BigInteger(1, address.getAddress()).shiftRight(free).equals(network);
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
    boolean excluded =
        entries.stream().anyMatch(each -> each.excludes() && each.addresses().test(address));
    return !excluded && entries.stream().anyMatch(each -> each.addresses().test(address));
  }

  @Override
  public String toString() {
    return text;
  }
}
