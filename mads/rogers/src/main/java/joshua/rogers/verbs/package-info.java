/**
 * Rogers' verbs for admins (+JS-07): each asks his own tools in the admin's name and role, so that
 * what it shows is what any other client is told.
 */
@NullMarked
package joshua.rogers.verbs;

import org.jspecify.annotations.NullMarked;
