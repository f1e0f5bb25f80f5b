package joshua.grace.queue;

import java.time.Instant;

/**
 * How far a client has come in its queue: what a cursor stands for.
 *
 * @param queue the queue's number; a client that was evicted and came back has another queue
 * @param sequence the last message that has been returned, 0 at the beginning
 * @param breaks how many losses of unknown size have been reported to the client
 * @param since when this position was reported, or earlier: no later than the first message behind
 *     it
 */
public record QueuePosition(long queue, long sequence, int breaks, Instant since) {}
