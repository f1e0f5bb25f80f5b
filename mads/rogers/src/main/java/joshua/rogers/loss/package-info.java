/**
 * Messages that were published and reached nobody: the relays' ledgers compared with what Rogers
 * saw.
 */
@NullMarked
package joshua.rogers.loss;

import org.jspecify.annotations.NullMarked;
