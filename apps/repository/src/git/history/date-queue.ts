import type { DatedCommit } from './commit-steps';

/**
 * Commits that a walk has still to visit: newest commit date first, and for equal dates in order of insertion, as in
 * git.
 */
export class DateQueue {
  /** The next one is at the end. */
  private readonly commits: DatedCommit[] = [];

  push(commit: DatedCommit): void {
    let low = 0;
    let high = this.commits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.commits[middle];
      if (other && other.committedAt < commit.committedAt) low = middle + 1;
      else high = middle;
    }
    this.commits.splice(low, 0, commit);
  }

  pop(): DatedCommit | undefined {
    return this.commits.pop();
  }
}
