import { expand } from './expand';
import { isGlob, matcherOf } from './glob';
import { type Changes, type Exists, PipelineFileError, type Variables } from './job-spec';

/* Facts of a repository for `changes` and `exists`. See docs/api/pipeline-files.md#5. */

interface RepositoryRef {
  project: string | null;
  ref: string | null;
}
export type PathQuestion =
  | { kind: 'changes'; compareTo: string | null }
  | ({ kind: 'files' } & RepositoryRef)
  | ({ kind: 'file'; path: string } & RepositoryRef);

/** Null if the changes are unknown. */
export type PathAnswer = { paths: string[]; isTruncated: boolean } | null;

/** By {@link keyOfQuestion}. */
export type KnownPaths = Readonly<Record<string, PathAnswer>>;

export const keyOfQuestion = (question: PathQuestion): string => JSON.stringify(question);

/** Questions that must be answered first. */
export class PathsWanted extends Error {
  override name = 'PathsWanted';

  constructor(readonly questions: PathQuestion[]) {
    super('paths of a repository are wanted');
  }
}

/** Answers with known facts, and records the missing ones: until they are known, every answer is false. */
export class RepositoryPaths {
  private readonly wanted = new Map<string, PathQuestion>();
  private readonly decided = new Map<string, boolean>();

  constructor(private readonly known: KnownPaths = {}) {}

  /** If the changes are unknown, the clause counts as matched: a job rather runs once too often. */
  isChanged({ paths, compareTo }: Changes, variables: Variables): boolean {
    const since = compareTo === null ? null : expand(compareTo, variables);
    return this.isAnyOf(paths, { kind: 'changes', compareTo: since }, variables);
  }

  isThere({ paths, project, ref }: Exists, variables: Variables): boolean {
    const at = {
      project: project === null ? null : expand(project, variables),
      ref: ref === null ? null : expand(ref, variables),
    };
    const isIn = (path: string) =>
      isGlob(path)
        ? this.isAnyOf([path], { kind: 'files', ...at })
        : this.isAnyOf([path], { kind: 'file', path, ...at });
    // All are requested, so that everything is known after one round.
    return paths.map((path) => isIn(expand(path, variables))).includes(true);
  }

  /** Files that match a pattern, by name. @throws PipelineFileError if there are too many */
  matching(pattern: string, at: RepositoryRef): string[] {
    const answer = this.answerTo({ kind: 'files', ...at });
    if (answer?.isTruncated) throw new PipelineFileError(`There are too many files to look for \`${pattern}\``);
    return (answer?.paths ?? []).filter(matcherOf(pattern)).sort();
  }

  /** @throws PathsWanted while facts are missing */
  requireAll(): void {
    if (this.wanted.size > 0) throw new PathsWanted([...this.wanted.values()]);
  }

  private isAnyOf(patterns: string[], question: PathQuestion, variables?: Variables): boolean {
    const answer = this.answerTo(question);
    if (answer === undefined) return false;
    if (answer === null) return true;
    return patterns.some((each) => {
      const pattern = variables ? expand(each, variables) : each;
      const key = JSON.stringify([pattern, question]);
      const isMatched = this.decided.get(key) ?? answer.paths.some(matcherOf(pattern));
      this.decided.set(key, isMatched);
      return isMatched || answer.isTruncated;
    });
  }

  private answerTo(question: PathQuestion): PathAnswer | undefined {
    const key = keyOfQuestion(question);
    if (Object.hasOwn(this.known, key)) return this.known[key];
    this.wanted.set(key, question);
    return undefined;
  }
}
