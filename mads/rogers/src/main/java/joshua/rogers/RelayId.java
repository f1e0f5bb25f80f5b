package joshua.rogers;

/** One life of a relay, whose counts go on from ledger to ledger. */
record RelayId(String name, String instance, String epoch) {
  @Override
  public String toString() {
    return "%s (instance %s, epoch %s)".formatted(name, instance, epoch);
  }
}
