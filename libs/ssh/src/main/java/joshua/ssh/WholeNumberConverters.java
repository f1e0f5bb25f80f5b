package joshua.ssh;

import java.math.BigInteger;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A parser of whole numbers on command lines, with an error message that doesn't mention Java
 * types.
 */
public final class WholeNumberConverters {
  private static final Pattern DIGITS = Pattern.compile("[+-]?[0-9]{1,100}");

  private WholeNumberConverters() {}

  /** Registers this parser with a command line and its subcommands. */
  public static void registerOn(CommandLine line) {
    ITypeConverter<Integer> number =
        text -> (int) within(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
    ITypeConverter<Long> large = text -> within(text, Long.MIN_VALUE, Long.MAX_VALUE);
    line.registerConverter(int.class, number);
    line.registerConverter(Integer.class, number);
    line.registerConverter(long.class, large);
    line.registerConverter(Long.class, large);
  }

  private static long within(String text, long least, long most) {
    if (!DIGITS.matcher(text).matches()) {
      throw new TypeConversionException("'%s' is not a whole number".formatted(text));
    }
    BigInteger number = new BigInteger(text);
    if (number.compareTo(BigInteger.valueOf(least)) < 0
        || number.compareTo(BigInteger.valueOf(most)) > 0) {
      throw new TypeConversionException(
          "%s must be between %d and %d".formatted(text, least, most));
    }
    return number.longValueExact();
  }
}
