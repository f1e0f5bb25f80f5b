package joshua.bench;

/**
 * One scenario of a plan.
 *
 * @param warmUp on each new group, before the measured work
 */
record PlannedScenario(BenchmarkScenario scenario, WorkLimit warmUp, WorkLimit measured) {}
