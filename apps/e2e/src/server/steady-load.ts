import { Agent, request } from 'node:http';

/** A request without an answer by then counts as lost. */
const patienceMs = 60_000;

/** Result of a request. */
interface Answer {
  status: number;
  text: string;
}

/** A kind of repeated call; `key` is new each time. */
export interface Deed {
  method: string;
  path: string;
  body?: (key: string) => object;
}

/** A call that failed, as far as the client knows. */
interface Failed {
  deed: Deed;
  key: string;
  /** Whether there was an answer, without success; otherwise the connection ended. */
  isAnswered: boolean;
}

/** A server that is down refuses immediately; clients must not spin. */
const pauseAfterFailureMs = 20;

/**
 * Clients with persistent connections that make one call after another. Nothing is retried: every failure of an answer
 * or a connection counts.
 */
export class SteadyLoad {
  /** Keys of acknowledged calls, by kind. */
  readonly done = new Map<Deed, string[]>();
  readonly failures: string[] = [];
  readonly failed: Failed[] = [];
  lastFailureAt = 0;
  count = 0;
  slowestMs = 0;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly clients: Promise<void>[];
  private isEnding = false;

  constructor(
    private readonly server: { url: string; token: string },
    private readonly deeds: readonly Deed[],
    clients: number,
    /** Pause between two calls of a client. */
    private readonly pauseMs = 0,
  ) {
    for (const deed of deeds) this.done.set(deed, []);
    this.clients = Array.from({ length: clients }, (_, client) => this.work(client));
  }

  /** Resolves when every client has completed its current call. */
  async end(): Promise<void> {
    this.isEnding = true;
    await Promise.all(this.clients);
    this.agent.destroy();
  }

  private async work(client: number): Promise<void> {
    for (let turn = 0; !this.isEnding; turn++) {
      const deed = this.deeds[turn % this.deeds.length]!;
      await this.do(deed, `k${client}-${turn}`);
      if (this.pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, this.pauseMs));
    }
  }

  private async do(deed: Deed, key: string): Promise<void> {
    const beganAt = performance.now();
    try {
      const { status, text } = await this.ask(deed, key);
      if (status < 300) this.done.get(deed)!.push(key);
      else await this.fail({ deed, key, isAnswered: true }, `${status} ${text.slice(0, 200)}`);
    } catch (error) {
      await this.fail({ deed, key, isAnswered: false }, String((error as NodeJS.ErrnoException).code ?? error));
    }
    this.count++;
    this.slowestMs = Math.max(this.slowestMs, performance.now() - beganAt);
  }

  private async fail(failed: Failed, how: string): Promise<void> {
    this.failed.push(failed);
    this.failures.push(`${failed.deed.method} ${failed.deed.path}: ${how}`);
    this.lastFailureAt = performance.now();
    await new Promise((resolve) => setTimeout(resolve, pauseAfterFailureMs));
  }

  private ask({ method, path, body }: Deed, key: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = { 'private-token': this.server.token, 'content-type': 'application/json' };
      const options = { method, headers, agent: this.agent, signal: AbortSignal.timeout(patienceMs) };
      const asked = request(`${this.server.url}/api/v4${path}`, options, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        answer.once('end', () => resolve({ status: answer.statusCode!, text }));
        answer.once('error', reject);
      });
      asked.once('error', reject);
      asked.end(body && JSON.stringify(body(key)));
    });
  }
}
