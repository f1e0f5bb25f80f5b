package joshua.thought;

import java.time.Duration;

/**
 * How long a model may take, and how much it may read and write (REQ-FD-01, +FD-13).
 *
 * @param firstToken from a request to its first sign of thinking
 * @param tokenGap from one token to the next
 * @param answer one whole answer: all requests, queries and retries
 * @param retries further attempts of a request that failed before its first token
 * @param outputTokens of one request
 * @param contextTokens given to read with one request, counted by {@link TokenEstimate}
 */
public record ModelLimits(
    Duration connect,
    Duration firstToken,
    Duration tokenGap,
    Duration answer,
    int retries,
    int outputTokens,
    int contextTokens) {}
