import { ciChangedPaths, ciTreePaths, type OutputOf, only, type ProjectRef } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { IncludedFileReader, isAbsence, nullIf, type Reader } from './included-files';
import { PipelineFileError } from './job-spec';
import { type KnownPaths, keyOfQuestion, type PathAnswer, type PathQuestion } from './repository-paths';

/** Limit of lists for one pipeline file. */
const mostLists = 10;
/** Limit of single files for one pipeline file. */
const mostFiles = 1000;
/** Limit of one list: beyond it, patterns count as matched. */
const mostPaths = 10_000;

type FileQuestion = Extract<PathQuestion, { kind: 'file' }>;
type Files = Extract<PathQuestion, { kind: 'file' | 'files' }>;
type Tree = NonNullable<OutputOf<typeof ciTreePaths>>;

/** Reads the facts for `changes` and `exists` from repositories. */
@Injectable()
export class PathReader {
  constructor(
    private readonly client: OperationClient,
    private readonly included: IncludedFileReader,
  ) {}

  /**
   * @param known earlier answers, which count for the limits
   * @throws PipelineFileError for a missing revision or project, and for too many questions
   */
  async answer(questions: PathQuestion[], known: KnownPaths, reader: Reader): Promise<KnownPaths> {
    requireFew([...Object.keys(known).map((key): PathQuestion => JSON.parse(key)), ...questions]);
    const answers: Record<string, PathAnswer> = {};
    for (const question of questions) {
      if (question.kind === 'changes')
        answers[keyOfQuestion(question)] = await this.changes(question.compareTo, reader);
      if (question.kind === 'files') answers[keyOfQuestion(question)] = await this.list(question, reader);
    }
    for (const files of byPlace(questions)) {
      const existing = await this.existing(files, reader);
      for (const file of files) {
        const paths = existing.has(file.path) ? [file.path] : [];
        answers[keyOfQuestion(file)] = { paths, isTruncated: false };
      }
    }
    return answers;
  }

  private async changes(compareTo: string | null, { project, at, changedSince }: Reader): Promise<PathAnswer> {
    const since = compareTo ?? changedSince;
    if (since === null || at.sha === undefined) return null;
    const range = { from: since, to: at.sha, since_merge_base: compareTo !== null, max_paths: mostPaths };
    const found = await this.client.call(ciChangedPaths, range, { project }).catch(nullIf(isAbsence));
    if (!found && compareTo !== null) {
      throw new PipelineFileError(`rules:changes:compare_to is not a valid ref: \`${compareTo}\``);
    }
    return found && { paths: found.paths, isTruncated: found.is_truncated };
  }

  private async list(place: Files, reader: Reader): Promise<PathAnswer> {
    const found = await this.tree(place, { max_paths: mostPaths, paths: [] }, reader);
    return { paths: found.files, isTruncated: found.is_truncated };
  }

  private async existing(files: FileQuestion[], reader: Reader): Promise<Set<string>> {
    const paths = files.map(({ path }) => path);
    return new Set((await this.tree(only(files.slice(0, 1)), { max_paths: 0, paths }, reader)).existing);
  }

  private async tree(place: Files, asked: { max_paths: number; paths: string[] }, reader: Reader): Promise<Tree> {
    const { project, sha } = await this.find(place, reader);
    const found = await this.client.call(ciTreePaths, { ...asked, sha }, { project }).catch(nullIf(isAbsence));
    if (found) return found;
    throw new PipelineFileError(`rules:exists:ref \`${sha}\` is not a valid ref in project \`${project.fullPath}\``);
  }

  private async find({ project: name, ref }: Files, { project, at, caller }: Reader) {
    if (name === null) return { project, sha: ref ?? at.sha ?? at.ref };
    const found: ProjectRef | undefined = await this.included.findProject(name, caller);
    if (!found) throw new PipelineFileError(`rules:exists:project \`${name}\` is not a valid project path`);
    return { project: found, sha: ref ?? found.defaultBranch ?? '' };
  }
}

/** Single files, grouped by their place. */
function byPlace(questions: PathQuestion[]): FileQuestion[][] {
  const places = new Map<string, FileQuestion[]>();
  for (const question of questions) {
    if (question.kind !== 'file') continue;
    const key = JSON.stringify([question.project, question.ref]);
    places.set(key, [...(places.get(key) ?? []), question]);
  }
  return [...places.values()];
}

function requireFew(questions: PathQuestion[]): void {
  const files = questions.filter(({ kind }) => kind === 'file').length;
  if (files > mostFiles || questions.length - files > mostLists) {
    throw new PipelineFileError('`changes` and `exists` ask for too much');
  }
}
