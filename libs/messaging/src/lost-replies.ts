import { commonErrors, isError } from '@moothall/contracts';
import { unattended } from '@moothall/logging';
import type { Msg } from 'nats';
import { type Hello, replicaSubject } from './replica-presence';
import type { Frame } from './wire';

const roundMs = 250;
/** Almost all requests are answered sooner, and are not checked. */
const patienceMs = 500;
const askTimeoutMs = 5_000;

interface Waiting {
  service: string;
  sentAt: number;
  /** Counted up with each time that it is sent. */
  tries: number;
  /** No replica has it: it is sent again when one is available. */
  isUntaken?: boolean;
}

interface Bus {
  ask(subject: string, frame: Frame, timeoutMs: number): Promise<Msg>;
  giveUp(request: string): void;
  isUp(): boolean;
}

/**
 * Finds the requests whose replica has died, see {@link ReplicaPresence}. While a request waits for long, all known
 * replicas of the service are asked which requests they have. If one turns out to be dead, the requests that no other
 * has were lost with it. Nothing is concluded while one of them is silent, about a request that no replica had
 * received, or if a new replica was not asked. Both are known before the answers, since messages of one connection
 * stay in order.
 */
export class LostReplies {
  private readonly replicas = new Map<string, Set<string>>();
  private readonly asked = new Set<string>();
  private timer?: NodeJS.Timeout | undefined;

  /** @param waiting requests by their reply subjects */
  constructor(
    private readonly waiting: ReadonlyMap<string, Waiting>,
    private readonly bus: Bus,
  ) {}

  /** @param hello of a replica; empty without responders */
  meet(hello: Msg): void {
    if (hello.data.length === 0) return;
    const { service, replica } = hello.json<Hello>();
    const known = this.replicas.get(service) ?? new Set();
    this.replicas.set(service, known.add(replica));
  }

  /** From now on, until no request waits. */
  watch(): void {
    this.timer ??= setInterval(() => this.round(), roundMs).unref();
  }

  private round(): void {
    if (this.waiting.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    const before = Date.now() - patienceMs;
    const late = new Set<string>();
    for (const { service, sentAt } of this.waiting.values()) if (sentAt < before) late.add(service);
    for (const service of late) if (!this.asked.has(service)) unattended('lost replies', this.find(service));
  }

  private async find(service: string): Promise<void> {
    const replicas = [...(this.replicas.get(service) ?? [])];
    const tries = new Map(
      [...this.waiting]
        .filter(([, one]) => one.service === service && !one.isUntaken)
        .map(([request, one]) => [request, one.tries]),
    );
    const requests = [...tries.keys()];
    this.asked.add(service);
    const answers = await Promise.all(replicas.map((replica) => this.held(replica, requests))).finally(() =>
      this.asked.delete(service),
    );
    const gone = replicas.filter((_, index) => answers[index] === 'gone');
    if (gone.length === 0 || answers.includes('silent')) return;
    if ([...(this.replicas.get(service) ?? [])].some((replica) => !replicas.includes(replica))) return;
    for (const replica of gone) this.replicas.get(service)?.delete(replica);
    const held = new Set(answers.flat());
    const isSame = (request: string) => {
      const one = this.waiting.get(request);
      return one !== undefined && !one.isUntaken && one.tries === tries.get(request);
    };
    for (const request of requests) if (!held.has(request) && isSame(request)) this.bus.giveUp(request);
  }

  private async held(replica: string, requests: string[]): Promise<string[] | 'gone' | 'silent'> {
    try {
      const data = Buffer.from(JSON.stringify(requests));
      return (await this.bus.ask(replicaSubject(replica), { data }, askTimeoutMs)).json<string[]>();
    } catch (error) {
      // Without a connection nothing is known about replicas.
      return this.bus.isUp() && isError(error, commonErrors.unavailable) ? 'gone' : 'silent';
    }
  }
}
