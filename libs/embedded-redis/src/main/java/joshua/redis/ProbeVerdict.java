package joshua.redis;

/** The result of an attack on a program. */
enum ProbeVerdict {
  RESISTS("it withstands the known attacks", true),
  ENDED_BY_A_PATTERN("a deeply nested pattern ends it (CVE-2024-31228)", true),
  REFUSES_ITS_CONFIGURATION("it doesn't run with Joshua's configuration", true),
  TOO_SLOW("it didn't show within a second what it bears", false);

  private final String sentence;
  private final boolean lasting;

  ProbeVerdict(String sentence, boolean lasting) {
    this.sentence = sentence;
    this.lasting = lasting;
  }

  String sentence() {
    return sentence;
  }

  /** Whether another attempt would have the same result. */
  boolean lasting() {
    return lasting;
  }
}
