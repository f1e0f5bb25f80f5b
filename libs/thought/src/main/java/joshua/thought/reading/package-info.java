/**
 * How a prompt is read without a language model: DTR by an explicit tree, LPPM by what it has
 * learned from a MAD's phrasings. What is read is one query of the whitelist with its arguments, or
 * nothing.
 */
package joshua.thought.reading;
