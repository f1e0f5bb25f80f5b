/**
 * A sentence's meaning as a vector, computed in this process by a model that ships in a jar. A
 * module of its own, because of its size: what is built without it reads questions by DTR alone.
 */
package joshua.embeddings;
