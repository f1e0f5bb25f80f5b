/**
 * The benchmark: clients that measure a running group from outside, using only the wire contract,
 * so that the same clients can measure older and newer builds.
 */
@NullMarked
package joshua.bench;

import org.jspecify.annotations.NullMarked;
