/** The field of an answer that names the record in paths. */
const namesOfRecords = ['iid', 'tag_name', 'id', 'slug', 'name', 'key'];

/** The record that was created last in each collection. */
export class LatestRecords {
  /** By the path of their creation, as `/projects/:id/hooks`. */
  private readonly names = new Map<string, string>();
  private readonly ids = new Map<string, string>();

  /** @param path of the request, with its parameters @param text its answer */
  learn(path: string, text: string): void {
    const record = text.startsWith('{') ? JSON.parse(text) : {};
    const name = namesOfRecords.map((field) => record[field]).find((value) => value != null);
    if (name !== undefined) this.names.set(path, encodeURIComponent(String(name)));
    if (record.id !== undefined) this.ids.set(path, String(record.id));
  }

  /** Instead of each `:none` in the path of a request, the record that was created last in its collection. */
  fillIn(ask: string): string {
    const parts = ask.split('/');
    const [, ...template] = ask.split('?', 1)[0]!.split('/');
    const pathTo = (at: number) => `/${template.slice(0, at - 1).join('/')}`;
    return parts.map((part, at) => (part === ':none' ? (this.names.get(pathTo(at)) ?? part) : part)).join('/');
  }

  /** By the last segment of the path: `topics`, and `topics_id`. */
  byWord(): { [name: string]: string } {
    const wordOf = (path: string) => path.split('/').at(-1)!;
    return Object.fromEntries([
      ...[...this.names].map(([path, name]) => [wordOf(path), name]),
      ...[...this.ids].map(([path, id]) => [`${wordOf(path)}_id`, id]),
    ]);
  }
}
