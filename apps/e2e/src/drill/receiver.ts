import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OwnServer } from '../server/own-server';
import type { Scene } from './writes';

/** What a hook may be told of what the load makes. */
interface Told {
  object_kind: string;
  name?: string;
  object_attributes?: { title?: string; action?: string };
  commits?: { message: string }[];
}

/** Kinds of writes that hooks tell of, and how. */
const kinds: Record<string, [string, (told: Told) => (string | undefined)[]]> = {
  issue: ['issue', ({ object_attributes }) => [object_attributes?.title]],
  push: ['commit', ({ commits = [] }) => commits.map(({ message }) => message)],
  release: ['release', ({ name }) => [name]],
};

/** A server that hooks tell of events; it counts what each delivery told. */
export class Receiver {
  /** By scene and `issue k1-2`: the deliveries that told of it, each as often as it came. */
  private readonly told = new Map<string, string[]>();
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

  /** Hooks of that server may reach this one. */
  async allowOn(server: OwnServer): Promise<void> {
    await server.api('PUT', '/application/settings', { outbound_local_requests_whitelist: [this.host] });
  }

  async follow(server: OwnServer, { name, project }: Scene): Promise<void> {
    const events = { issues_events: true, push_events: true, releases_events: true };
    await server.api('POST', `${project}/hooks`, { url: `http://${this.host}/${name}`, ...events });
  }

  /** @returns the deliveries of each thing, as `issue k1-2` */
  of({ name }: Scene): Map<string, string[]> {
    const prefix = `/${name} `;
    return new Map(
      [...this.told].flatMap(([what, deliveries]) =>
        what.startsWith(prefix) ? [[what.slice(prefix.length), deliveries] as const] : [],
      ),
    );
  }

  private note(path: string, told: Told, delivery: string): void {
    const [what, keysOf] = kinds[told.object_kind] ?? ['', () => []];
    for (const key of keysOf(told)) {
      if (!/^k\d+-\d+$/.test(key ?? '')) continue;
      const name = `${path} ${what} ${key}`;
      this.told.set(name, [...(this.told.get(name) ?? []), delivery]);
    }
  }
}

/** What hooks tell of. */
export const toldKinds: readonly string[] = Object.values(kinds).map(([what]) => what);
