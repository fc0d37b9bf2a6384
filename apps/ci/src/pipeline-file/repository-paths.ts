import { expand } from './expand';
import { isGlob, matcherOf } from './glob';
import { type Changes, type Exists, PipelineFileError, type Variables } from './job-spec';

/* What `changes` and `exists` ask of a repository, and what is known of it by now. See docs/api/pipeline-files.md#5. */

interface RepositoryRef {
  project: string | null;
  ref: string | null;
}
export type PathQuestion =
  | { kind: 'changes'; compareTo: string | null }
  | ({ kind: 'files' } & RepositoryRef)
  | ({ kind: 'file'; path: string } & RepositoryRef);

/** Null where it cannot be said what changed. */
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

/** Answers what is known, and notes what is not: until it is, everything is as if it were not so. */
export class RepositoryPaths {
  private readonly wanted = new Map<string, PathQuestion>();
  private readonly decided = new Map<string, boolean>();

  constructor(private readonly known: KnownPaths = {}) {}

  /** Where nobody can say what changed, the clause counts as met: a job runs rather once too often. */
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
    // Each is asked for, so that all is known after one round.
    return paths.map((path) => isIn(expand(path, variables))).includes(true);
  }

  /** Files that match a pattern, by name. @throws PipelineFileError if there are too many */
  matching(pattern: string, at: RepositoryRef): string[] {
    const answer = this.answerTo({ kind: 'files', ...at });
    if (answer?.isTruncated) throw new PipelineFileError(`There are too many files to look for \`${pattern}\``);
    return (answer?.paths ?? []).filter(matcherOf(pattern)).sort();
  }

  /** @throws PathsWanted while something is not known */
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
