import type { OwnServer } from '../server/own-server';
import { type Change, changesOf, type Fields, type Resource } from './changes';
import { differences, type Effect, effectsOf, type View, viewOf, withEffects } from './view';

/** Pairs of changes of one record: runs each pair concurrently, and compares the result. */
export class Pairs {
  readonly names: string[];
  private readonly changes: { [name: string]: Change };
  private base: View = new Map();
  private readonly effects = new Map<string, Effect[]>();
  private changed: string[] = [];

  constructor(
    private readonly server: OwnServer,
    private readonly resource: Resource,
  ) {
    this.changes = changesOf(resource);
    this.names = Object.keys(this.changes);
  }

  /** All pairs. */
  all(): [string, string][] {
    return this.names.flatMap((one, index) =>
      this.names.slice(index + 1).map((other): [string, string] => [one, other]),
    );
  }

  /** Runs each change alone to learn its effect. @returns changes without a visible effect */
  async learn(names: string[]): Promise<string[]> {
    for (const name of this.names) await this.send(this.changes[name]!.back);
    this.base = await this.look();
    for (const name of names) {
      const status = await this.make(name);
      if (status !== 200) throw new Error(`${this.resource.operation.name} ${name}: ${status}`);
      this.effects.set(name, effectsOf(this.base, await this.look()));
      await this.restore();
    }
    return names.filter((name) => this.effects.get(name)!.length === 0);
  }

  /** Runs two changes concurrently. @returns the lost part: undefined if both are there */
  async lossOf(pair: [string, string]): Promise<string | undefined> {
    const [one, other] = pair;
    await this.restore();
    const statuses = await Promise.all(pair.map((name) => this.make(name)));
    const found = await this.look();
    const expected = withEffects(withEffects(this.base, this.effects.get(one)!), this.effects.get(other)!);
    const lost = differences(expected, found);
    const outcome = [...statuses.map(String), ...lost];
    if (outcome.join() === '200,200') return undefined;
    // If one affects the other, the result must equal one of the two sequences.
    for (const order of [pair, [other, one] as [string, string]]) {
      const { statuses: inTurn, view } = await this.oneAfterTheOther(order, pair);
      if (inTurn.join() === statuses.join() && differences(view, found).length === 0) return undefined;
    }
    return `${this.resource.operation.name}, ${one} and ${other} at once: ${outcome.join('; ')}`;
  }

  private async oneAfterTheOther(order: [string, string], pair: [string, string]) {
    await this.restore();
    const byName = new Map<string, number>();
    for (const name of order) byName.set(name, await this.make(name));
    return { statuses: pair.map((name) => byName.get(name)), view: await this.look() };
  }

  /** Reverts the changes; repeatedly if one change prevents the revert of another. */
  async restore(): Promise<void> {
    let wrong: string[] = [];
    for (let times = 0; times < 3; times++) {
      for (const name of this.changed) await this.send(this.changes[name]!.back);
      wrong = differences(this.base, await this.look());
      if (wrong.length === 0) break;
    }
    if (wrong.length > 0) throw new Error(`${this.resource.operation.name}: ${this.changed} left ${wrong.join('; ')}`);
    this.changed = [];
  }

  private make(name: string): Promise<number> {
    this.changed.push(name);
    return this.send(this.changes[name]!.to);
  }

  private async send(fields: Fields): Promise<number> {
    const { operation, path } = this.resource;
    const hasFile = Object.values(fields).some((value) => value instanceof Blob);
    const form = new FormData();
    if (hasFile) for (const [name, value] of Object.entries(fields)) form.append(name, value as Blob, 'image.png');
    const answer = await fetch(`${this.server.url}/api/v4${path}`, {
      method: operation.routes[0]!.method,
      headers: { 'private-token': this.server.token, ...(!hasFile && { 'content-type': 'application/json' }) },
      body: hasFile ? form : JSON.stringify(fields),
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  private async look(): Promise<View> {
    const headers = { 'private-token': this.server.token };
    const answers = await Promise.all(
      this.resource.seen.map(async (path) => {
        const answer = await fetch(`${this.server.url}/api/v4${path}`, { headers });
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
        const text = await answer.text();
        return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
      }),
    );
    return viewOf(answers);
  }
}
