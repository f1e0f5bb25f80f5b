@org.jspecify.annotations.NullMarked
package joshua.testing.readers;
