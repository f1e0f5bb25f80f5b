/**
 * The reading of prompts without a language model: DTR by an explicit tree, LPPM by a model trained
 * on a MAD's phrases. The result is one query of the whitelist with its arguments, or none.
 */
package joshua.thought.reading;
