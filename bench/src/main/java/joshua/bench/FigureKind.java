package joshua.bench;

/** What a number stands for, and so which of two is the better one. */
enum FigureKind {
  /** More is better; what {@code --at-least} judges. */
  RATE,
  /** Less is better; shown, and not judged. */
  LATENCY;

  /** How much better this build's number is: more than 1 where this build is faster. */
  double ratio(double thisBuild, double otherBuild) {
    return switch (this) {
      case RATE -> thisBuild / otherBuild;
      case LATENCY -> otherBuild / thisBuild;
    };
  }
}
