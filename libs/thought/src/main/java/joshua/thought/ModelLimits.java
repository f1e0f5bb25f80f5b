package joshua.thought;

import java.time.Duration;

/**
 * The time and token limits of a model (REQ-FD-01, +FD-13).
 *
 * @param firstToken from a request to the first sign of thinking
 * @param tokenGap from one token to the next
 * @param answer one complete answer: all requests, queries and retries
 * @param retries further attempts of a request that failed before its first token
 * @param outputTokens per request
 * @param contextTokens the input of one request, counted by {@link TokenEstimate}
 */
public record ModelLimits(
    Duration connect,
    Duration firstToken,
    Duration tokenGap,
    Duration answer,
    int retries,
    int outputTokens,
    int contextTokens) {}
