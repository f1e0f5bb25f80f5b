package joshua.tasks;

/**
 * A task under a lease.
 *
 * @param published how many frames of its attempt are known to be published
 */
record LeasedTask(Task task, Lease lease, long published) {}
