/**
 * The benchmark: clients that measure a running group from outside, by the wire contract alone, so
 * that older and newer builds can be measured by the same clients.
 */
@NullMarked
package joshua.bench;

import org.jspecify.annotations.NullMarked;
