/**
 * What {@code joshua doctor} looks at: one class a matter, each told what it needs, so that it
 * works whether a group runs or not.
 */
@NullMarked
package joshua.app.doctor;

import org.jspecify.annotations.NullMarked;
