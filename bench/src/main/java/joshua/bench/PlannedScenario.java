package joshua.bench;

/**
 * One scenario of a plan.
 *
 * @param warmUp on each new group, before what counts
 */
record PlannedScenario(BenchmarkScenario scenario, WorkLimit warmUp, WorkLimit measured) {}
