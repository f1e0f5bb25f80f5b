/**
 * The checks of {@code joshua doctor}: one class per matter, each given what it needs, so that it
 * works whether a group runs or not.
 */
@NullMarked
package joshua.app.doctor;

import org.jspecify.annotations.NullMarked;
