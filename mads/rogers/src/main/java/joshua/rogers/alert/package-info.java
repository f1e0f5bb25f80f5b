/**
 * Alerts about loops, storms, dead letters and silent services, and the events that they become.
 */
@NullMarked
package joshua.rogers.alert;

import org.jspecify.annotations.NullMarked;
