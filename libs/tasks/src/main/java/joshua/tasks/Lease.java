package joshua.tasks;

import java.util.UUID;

/**
 * The right to work on a task, for as long as it is renewed. Each holder has another version, and
 * every write of a holder says its own: who was overtaken writes nothing.
 */
record Lease(UUID taskId, String holder, long version) {}
