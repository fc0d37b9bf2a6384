import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OwnServer } from '../server/own-server';
import type { Scene } from './writes';

/** The payload of a hook, for records that the load creates. */
interface Payload {
  object_kind: string;
  name?: string;
  object_attributes?: { title?: string; action?: string };
  commits?: { message: string }[];
}

/** Kinds of writes with hooks, and how to read their names from a payload. */
const kinds: Record<string, [string, (payload: Payload) => (string | undefined)[]]> = {
  issue: ['issue', ({ object_attributes }) => [object_attributes?.title]],
  push: ['commit', ({ commits = [] }) => commits.map(({ message }) => message)],
  release: ['release', ({ name }) => [name]],
};

/** A server that receives hooks; it counts the records in each delivery. */
export class Receiver {
  /** By scene and `issue k1-2`: the ids of its deliveries, repeats included. */
  private readonly deliveries = new Map<string, string[]>();
  private readonly server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      this.note(request.url!, JSON.parse(text), String(request.headers['idempotency-key']));
      response.end('thanks');
    });
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Allows hooks of that server to reach this one. */
  async allowOn(server: OwnServer): Promise<void> {
    await server.api('PUT', '/application/settings', { outbound_local_requests_whitelist: [this.host] });
  }

  async follow(server: OwnServer, { name, project }: Scene): Promise<void> {
    const events = { issues_events: true, push_events: true, releases_events: true };
    await server.api('POST', `${project}/hooks`, { url: `http://${this.host}/${name}`, ...events });
  }

  /** @returns the deliveries of each record, as `issue k1-2` */
  of({ name }: Scene): Map<string, string[]> {
    const prefix = `/${name} `;
    return new Map(
      [...this.deliveries].flatMap(([what, deliveries]) =>
        what.startsWith(prefix) ? [[what.slice(prefix.length), deliveries] as const] : [],
      ),
    );
  }

  private note(path: string, payload: Payload, delivery: string): void {
    const [what, keysOf] = kinds[payload.object_kind] ?? ['', () => []];
    for (const key of keysOf(payload)) {
      if (!/^k\d+-\d+$/.test(key ?? '')) continue;
      const name = `${path} ${what} ${key}`;
      this.deliveries.set(name, [...(this.deliveries.get(name) ?? []), delivery]);
    }
  }
}

/** Kinds that hooks deliver. */
export const deliveredKinds: readonly string[] = Object.values(kinds).map(([what]) => what);
