package joshua.e2e;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * A real fault in a running JVM, caused by an agent that the test attaches to it: the program has
 * no switch for it.
 */
enum JvmFault {
  /** The heap is full, and stays full. */
  HEAP,
  /** The heap is so full that the next garbage collection finds next to nothing. */
  NEARLY_FULL_HEAP,
  /** Ends {@link #NEARLY_FULL_HEAP}. */
  RELEASE,
  /** All direct memory is taken, and stays taken; the code that took it has swallowed the error. */
  DIRECT_MEMORY,
  /** A library's thread dies because the system starts no further thread for it. */
  THREAD_START;

  /** Causes the fault, and returns while it develops. */
  void plant(TestEnvironment environment, long pid) {
    plant(agent(environment).toString(), pid);
  }

  /** The same by an agent at a path that is visible to that process. */
  void plant(String agent, long pid) {
    try {
      VirtualMachine jvm = VirtualMachine.attach(Long.toString(pid));
      try {
        jvm.loadAgent(agent, name());
      } finally {
        jvm.detach();
      }
    } catch (IOException e) {
      // A JVM that ends doesn't answer any more.
      System.out.println("the agent's JVM is gone: " + e);
    } catch (Exception e) {
      throw new AssertionError("no agent in process " + pid, e);
    }
  }

  /** The agent, which takes the name of a fault as its option. */
  static Path agent(TestEnvironment environment) {
    Path file = environment.path().resolve("agent.jar");
    try {
      return write(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Path write(Path file) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(new Attributes.Name("Agent-Class"), FaultAgent.class.getName());
    String entry = FaultAgent.class.getName().replace('.', '/') + ".class";
    try (InputStream code = FaultAgent.class.getClassLoader().getResourceAsStream(entry);
        JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
      jar.putNextEntry(new JarEntry(entry));
      code.transferTo(jar);
      jar.closeEntry();
    }
    return file;
  }
}
