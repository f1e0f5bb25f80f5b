package joshua.tasks.store;

import java.util.UUID;

/**
 * The right to work on a task, for as long as it is renewed. Each holder has a different version,
 * and every write checks the holder's: one that was overtaken can't write.
 */
public record Lease(UUID taskId, String holder, long version) {}
