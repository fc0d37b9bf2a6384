import { LRUCache } from 'lru-cache';
import type { CommitReader } from '../objects/commit-reader';
import type { ObjectReader } from '../objects/object-reader';
import type { GitRunner } from '../process/run-git';
import { CommitSteps, orNull, type WalkLimits } from './commit-steps';
import { DateQueue } from './date-queue';

/** Whether commits are in the history of one. Neither side ever changes, so an answer is valid forever. */
type Verdicts = Map<string, boolean>;

/** More commits than these are asked about by two processes for all, not by one for each. */
const FEW = 2;

/**
 * Which commits are in the history of others. An answer about a commit also answers for all its descendants, so after a
 * push a few steps are enough; git itself answers for a long history that is new.
 */
export class Reachability {
  /** By the commit whose history it is. Rough memory of an answer: 60 bytes. */
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

  /** Whether a commit is in another's history, or is it. */
  async isAncestor(repository: string, ancestor: string, descendant: string): Promise<boolean> {
    return (await this.ancestorsAmong(repository, descendant, [ancestor])).has(ancestor);
  }

  /** Those of some commits that are in the history of one, itself included. All are resolved ids. */
  async ancestorsAmong(repository: string, descendant: string, some: readonly string[]): Promise<Set<string>> {
    const key = this.key(repository, descendant);
    const known = this.verdicts.get(key) ?? new Map([[descendant, true]]);
    const open = new Set(some.filter((id) => !known.has(id)));
    if (open.size > 0) {
      const walked = await orNull(this.walk(repository, descendant, open));
      const found = walked ?? (await this.ask(repository, descendant, [...open]));
      for (const [id, isIn] of found) known.set(id, isIn);
      // The next check counts again, with the new commits.
      this.verdicts.delete(key);
      this.verdicts.set(key, known);
    }
    return new Set(some.filter((id) => known.get(id)));
  }

  /** Looks for commits from one backwards, until all are found or there is nothing more. @throws TooFar */
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

  /** Takes what is known of a commit on the way. @returns whether that is all there is to know behind it */
  private collect(repository: string, id: string, wanted: ReadonlySet<string>, found: Verdicts): boolean {
    const known = this.verdicts.peek(this.key(repository, id));
    if (!known) return false;
    for (const [one, isIn] of known) if (isIn && wanted.has(one)) found.set(one, true);
    // Those that are looked for may be far more than those that are known.
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
    // What no branch names any more, or never did.
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
