package moothall.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

/** An example: JUnit starts the server before the tests and stops it after them. */
@Testcontainers
class MoothallServerTest {
  @Container
  static final MoothallServer moothall = new MoothallServer().withSeed(Path.of("src/test/resources/seed.yaml"));

  @Test
  void hasTheUserOfTheSeed() throws Exception {
    assertEquals(200, statusOf("/api/v4/users/" + moothall.getSeed().path("users").path("alice").asInt()));
  }

  @Test
  void isReset() throws Exception {
    moothall.reset();
    assertEquals(200, statusOf("/api/v4/user"));
  }

  private static int statusOf(String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(moothall.getUrl() + path)).header("PRIVATE-TOKEN", moothall.getToken()).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }
}
