import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/** Runs mongo-java-server in memory on a free port of the loopback interface, and prints how to reach it. */
public class Start {
  public static void main(String[] arguments) {
    MongoServer server = new MongoServer(new MemoryBackend());
    server.bind("127.0.0.1", 0);
    System.out.println("mongodb://127.0.0.1:" + server.getLocalAddress().getPort() + "/");
  }
}
