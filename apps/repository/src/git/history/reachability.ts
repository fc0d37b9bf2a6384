import { LRUCache } from 'lru-cache';
import type { CommitReader } from '../objects/commit-reader';
import type { ObjectReader } from '../objects/object-reader';
import type { GitRunner } from '../process/run-git';
import { CommitSteps, orNull, type WalkLimits } from './commit-steps';
import { DateQueue } from './date-queue';

/** Whether commits are in the history of another one. Commits never change, so an answer stays valid. */
type Verdicts = Map<string, boolean>;

/** Above this number, two processes answer for all commits; up to it, one process per commit. */
const FEW = 2;

/**
 * Which commits are in the history of others. Answers are cached and also hold for all descendants, so after a push a
 * few steps are enough; git answers for a long new history.
 */
export class Reachability {
  /** By descendant. Estimated size of an answer: 60 bytes. */
  private readonly verdicts = new LRUCache<string, Verdicts>({
    maxSize: 300_000,
    sizeCalculation: (verdicts) => verdicts.size + 1,
  });

  constructor(
    private readonly git: GitRunner,
    private readonly objects: ObjectReader,
    private readonly commits: CommitReader,
    private readonly limits?: WalkLimits,
  ) {}

  /** Whether a commit is in the history of another one, or equal to it. */
  async isAncestor(repository: string, ancestor: string, descendant: string): Promise<boolean> {
    return (await this.ancestorsAmong(repository, descendant, [ancestor])).has(ancestor);
  }

  /** Those of some commits that are in the history of one, including itself. All ids are resolved. */
  async ancestorsAmong(repository: string, descendant: string, some: readonly string[]): Promise<Set<string>> {
    const key = this.key(repository, descendant);
    const known = this.verdicts.get(key) ?? new Map([[descendant, true]]);
    const open = new Set(some.filter((id) => !known.has(id)));
    if (open.size > 0) {
      const walked = await orNull(this.walk(repository, descendant, open));
      const found = walked ?? (await this.ask(repository, descendant, [...open]));
      for (const [id, isIn] of found) known.set(id, isIn);
      // The next check counts again, including the new commits.
      this.verdicts.delete(key);
      this.verdicts.set(key, known);
    }
    return new Set(some.filter((id) => known.get(id)));
  }

  /** Walks back from a commit until all wanted ones are found, or the history ends. @throws TooFar */
  private async walk(repository: string, from: string, wanted: ReadonlySet<string>): Promise<Verdicts> {
    const steps = new CommitSteps(repository, this.commits, this.limits);
    const queue = new DateQueue();
    const found: Verdicts = new Map();
    const push = async (ids: readonly string[]) => {
      for (const commit of await steps.take(ids)) queue.push(commit);
    };
    await push([from]);
    for (let commit = queue.pop(); commit && found.size < wanted.size; commit = queue.pop()) {
      if (wanted.has(commit.id)) found.set(commit.id, true);
      const isKnown = this.collect(repository, commit.id, wanted, found);
      if (!isKnown) await push(commit.parentIds);
    }
    return new Map([...wanted].map((id) => [id, found.has(id)]));
  }

  /** Uses cached answers of a commit on the way. @returns whether they answer for everything behind it */
  private collect(repository: string, id: string, wanted: ReadonlySet<string>, found: Verdicts): boolean {
    const known = this.verdicts.peek(this.key(repository, id));
    if (!known) return false;
    for (const [one, isIn] of known) if (isIn && wanted.has(one)) found.set(one, true);
    // More commits may be wanted than are cached.
    if (known.size + found.size < wanted.size) return false;
    return [...wanted].every((one) => known.has(one) || found.has(one));
  }

  private async ask(repository: string, descendant: string, some: readonly string[]): Promise<Verdicts> {
    const rest = new Set(some);
    const verdicts: Verdicts = new Map();
    if (some.length > FEW) {
      const [merged, others] = await Promise.all([
        this.tips(repository, `--merged=${descendant}`),
        this.tips(repository, `--no-merged=${descendant}`),
      ]);
      for (const id of merged) if (rest.delete(id)) verdicts.set(id, true);
      for (const id of others) if (rest.delete(id)) verdicts.set(id, false);
    }
    // Commits that no branch contains any more, or never did.
    for (const id of rest) verdicts.set(id, await this.askOne(repository, id, descendant));
    return verdicts;
  }

  private async tips(repository: string, which: string): Promise<string[]> {
    const output = await this.git.text(repository, ['for-each-ref', '--format=%(objectname)', which, 'refs/heads/']);
    return output.split('\n').filter(Boolean);
  }

  private async askOne(repository: string, ancestor: string, descendant: string): Promise<boolean> {
    const args = ['merge-base', '--is-ancestor', ancestor, descendant];
    const { exitCode } = await this.git.run(repository, args, { exitCodes: [0, 1] });
    return exitCode === 0;
  }

  private key(repository: string, id: string): string {
    return `${this.objects.generation(repository)}:${id}`;
  }
}
