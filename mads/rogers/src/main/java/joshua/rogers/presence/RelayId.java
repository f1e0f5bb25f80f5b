package joshua.rogers.presence;

/** One run of a relay, whose counts continue from ledger to ledger. */
public record RelayId(String name, String instance, String epoch) {
  @Override
  public String toString() {
    return "%s (instance %s, epoch %s)".formatted(name, instance, epoch);
  }
}
