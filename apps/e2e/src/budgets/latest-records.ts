import { operations } from '@moothall/contracts';

/** The field of an answer that names the record in paths. */
const namesOfRecords = ['tag_name', 'id', 'slug', 'name', 'key'];

/** Collections with paths such as `/projects/:id/issues/:issue_iid`. Milestones also have an iid, but paths take their id. */
const namedByIid = new Set(
  operations.flatMap(({ routes }) => routes.flatMap(({ path }) => /^(.+)\/:\w*iid$/.exec(path)?.[1] ?? [])),
);

/** The record that was created last in each collection. */
export class LatestRecords {
  /** By the path of their creation, as `/projects/:id/hooks`. */
  private readonly names = new Map<string, string>();

  /** @param path of the request, with its parameters @param text its answer */
  learn(path: string, text: string): void {
    const record = text.startsWith('{') ? JSON.parse(text) : {};
    const fields = namedByIid.has(path) ? ['iid'] : namesOfRecords;
    const name = fields.map((field) => record[field]).find((value) => value != null);
    if (name !== undefined) this.names.set(path, encodeURIComponent(String(name)));
  }

  /** Instead of each `:none` in the path of a request, the record that was created last in its collection. */
  fillIn(ask: string): string {
    const parts = ask.split('/');
    const [, ...template] = ask.split('?', 1)[0]!.split('/');
    const pathTo = (at: number) => `/${template.slice(0, at - 1).join('/')}`;
    return parts.map((part, at) => (part === ':none' ? (this.names.get(pathTo(at)) ?? part) : part)).join('/');
  }

  /** By the last segment of the path, as `topics`. */
  byWord(): { [name: string]: string } {
    return Object.fromEntries([...this.names].map(([path, name]) => [path.split('/').at(-1)!, name]));
  }
}
