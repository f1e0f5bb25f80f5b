package joshua.bench;

/** The meaning of a number, which decides which of two is the better one. */
enum FigureKind {
  /** More is better; {@code --at-least} judges these. */
  RATE,
  /** Less is better; shown, but not judged. */
  LATENCY;

  /** How much better this build's number is: more than 1 if this build is faster. */
  double ratio(double thisBuild, double otherBuild) {
    return switch (this) {
      case RATE -> thisBuild / otherBuild;
      case LATENCY -> otherBuild / thisBuild;
    };
  }
}
