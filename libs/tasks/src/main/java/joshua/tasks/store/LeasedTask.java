package joshua.tasks.store;

import joshua.tasks.model.Task;

/**
 * A task under a lease.
 *
 * @param published how many frames of its attempt are known to be published
 */
public record LeasedTask(Task task, Lease lease, long published) {}
