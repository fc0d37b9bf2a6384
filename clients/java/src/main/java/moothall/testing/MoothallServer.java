package moothall.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.testcontainers.lifecycle.Startable;

/**
 * A Moothall server for tests. JUnit starts and stops it like a container of Testcontainers, with {@code @Container}; it runs
 * an installed Moothall, a checkout, or an image.
 */
public class MoothallServer implements Startable {
  private static final String image = "image:";
  private static final ObjectMapper json = new ObjectMapper();

  private final String where;
  private Path seed;
  private Duration startupTimeout = Duration.ofMinutes(5);
  private Process process;
  private JsonNode ready;

  /** Starts what the environment variable MOOTHALL has; {@code npx moothall} unless it is set. */
  public MoothallServer() {
    this(System.getenv().getOrDefault("MOOTHALL", "npx moothall"));
  }

  /** @param where a command, the folder of a checkout or release, or {@code image:<name>} for docker */
  public MoothallServer(String where) {
    this.where = where;
  }

  /** @param seed a file of what the server begins with */
  public MoothallServer withSeed(Path seed) {
    this.seed = seed.toAbsolutePath();
    return this;
  }

  /** Five minutes unless set: the first start of a checkout installs and builds it. */
  public MoothallServer withStartupTimeout(Duration startupTimeout) {
    this.startupTimeout = startupTimeout;
    return this;
  }

  /** @throws IllegalStateException if the server ends or is not ready in time; its messages are on stderr */
  @Override
  public synchronized void start() {
    if (process != null) return;
    try {
      List<String> command = command();
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      String line = CompletableFuture.supplyAsync(() -> readLine(output)).get(startupTimeout.toMillis(), TimeUnit.MILLISECONDS);
      if (line == null) throw new IllegalStateException(String.join(" ", command) + " ended at its start");
      ready = json.readTree(line);
    } catch (TimeoutException error) {
      stop();
      throw new IllegalStateException("Moothall was not ready within " + startupTimeout, error);
    } catch (InterruptedException error) {
      stop();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while Moothall started", error);
    } catch (Exception error) {
      stop();
      throw new IllegalStateException("Moothall did not start", error);
    }
  }

  /** Ends the server. It leaves nothing behind. */
  @Override
  public synchronized void stop() {
    if (process == null) return;
    try {
      // The server ends when its stdin does, also inside a container.
      process.getOutputStream().close();
      if (!process.waitFor(30, TimeUnit.SECONDS)) process.destroyForcibly();
    } catch (IOException error) {
      process.destroyForcibly();
    } catch (InterruptedException error) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } finally {
      process = null;
      ready = null;
    }
  }

  /** Sets everything back to how it was when the server was ready. @throws IllegalStateException if the server refuses */
  public void reset() {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(getUrl() + "/-/reset"))
            .header("PRIVATE-TOKEN", getToken())
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    try {
      HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 204) throw new IllegalStateException(response.statusCode() + " " + response.body());
    } catch (IOException error) {
      throw new IllegalStateException("Moothall was not reset", error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while Moothall was reset", error);
    }
  }

  /** @return without a slash at its end; the interface is below {@code /api/v4} */
  public String getUrl() {
    return shown("url").asText();
  }

  /** @return an access token of the administrator */
  public String getToken() {
    return shown("token").asText();
  }

  public String getUsername() {
    return shown("username").asText();
  }

  public String getPassword() {
    return shown("password").asText();
  }

  public int getSshPort() {
    return shown("ssh_port").asInt();
  }

  /** @return ids of what the seed names: {@code users}, {@code groups}, {@code projects}, {@code runners} */
  public JsonNode getSeed() {
    return shown("seed");
  }

  private synchronized JsonNode shown(String name) {
    if (ready == null) throw new IllegalStateException("Moothall is not started");
    return ready.path(name);
  }

  private List<String> command() throws IOException {
    List<String> command = new ArrayList<>();
    Path program = where.startsWith(image) ? null : Path.of(where, "tools", "start.mjs");
    if (program == null) {
      command.addAll(docker());
    } else if (Files.isRegularFile(program)) {
      command.addAll(List.of("node", program.toString()));
    } else {
      command.addAll(List.of(where.split(" ")));
    }
    command.addAll(List.of("--ephemeral", "--until-eof"));
    if (seed != null) command.addAll(List.of("--seed", program == null ? "/seed" : seed.toString()));
    return command;
  }

  /** Publishes one port under the number that it has inside, because the server prints its address. */
  private List<String> docker() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                "docker", "run", "--rm", "--interactive",
                "--publish", "127.0.0.1:" + port + ":" + port,
                "--env", "PORT=" + port,
                "--env", "EXTERNAL_URL=http://127.0.0.1:" + port));
    if (seed != null) command.addAll(List.of("--volume", seed + ":/seed:ro"));
    command.addAll(List.of(where.substring(image.length()), "node", "apps/standalone/dist/main.js"));
    return command;
  }

  private static String readLine(BufferedReader output) {
    try {
      return output.readLine();
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
  }
}
