/**
 * Rogers, the bus monitor (REQ-RG-02…15, +RG-16…18): who is there, what traffic there is, what was
 * lost, and why.
 */
@NullMarked
package joshua.rogers;

import org.jspecify.annotations.NullMarked;
