package joshua.network;

/**
 * What a running tool may know of its client beyond who it is.
 *
 * @param comfortableBytes how large an answer may be that its caller didn't ask to be larger
 */
public record CallContext(int comfortableBytes) {
  /** A program, which reads what it is given. */
  public static final CallContext PROGRAM = new CallContext(Integer.MAX_VALUE);

  /** A model, whose context an answer fills. */
  public static final CallContext MODEL = new CallContext(24 * 1024);
}
