/**
 * Rogers' admin commands (+JS-07): each calls Rogers' own tools in the admin's name and role, so
 * that it shows what any other client would see.
 */
@NullMarked
package joshua.rogers.verbs;

import org.jspecify.annotations.NullMarked;
