/**
 * The check that the wording of an answer is supported by its evidence (+RG-16): numbers, times and
 * names, each looked up in the rows.
 */
package joshua.thought.grounding;
