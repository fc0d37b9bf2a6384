import { type ContextOf, isError, type ParsedOf, type ProjectRef, readLines, replaceLines } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { GitError } from '../../git/process/errors';
import type { FileAction } from '../../git/write/write-commit';
import { CodeWriter } from '../../push/code-writer';
import { type Located, Storages } from '../../storage/storages';
import { findLines, linesOf, replaceIn } from './lines';

type Replacement = ParsedOf<typeof replaceLines>['replacements'][number];
type LineRange = ParsedOf<typeof readLines>['ranges'][number];

interface FileRanges {
  revision: string;
  path: string;
  /** Ranges with their index in the request. */
  wanted: { at: number; first: number; last: number }[];
}

const maxFileBytes = 1 << 20;
const link = '120000';
/** Another push may come between reading and writing the branch. */
const attempts = 3;

/** Lines of files, for suggestions. See docs/api/notes.md#13. */
@Controller()
export class LineOperations {
  constructor(
    private readonly storages: Storages,
    private readonly writer: CodeWriter,
  ) {}

  @Handles(readLines)
  async read({ project }: ContextOf<typeof readLines>, { ranges, max_bytes }: ParsedOf<typeof readLines>) {
    const located = this.storages.locate(project);
    const found = ranges.map((): string | null => null);
    // File by file, each read and split once: a megabyte may be as many lines.
    for (const { revision, path, wanted } of groupByFile(ranges)) {
      const lines = linesOf((await readText(located, revision, path))?.text ?? '');
      for (const { at, first, last } of wanted) {
        const some = findLines(lines, { first, last });
        if (some !== undefined && Buffer.byteLength(some) <= max_bytes) found[at] = some;
      }
    }
    return found;
  }

  @Handles(replaceLines)
  async replace(context: ContextOf<typeof replaceLines>, input: ParsedOf<typeof replaceLines>) {
    const { branch, message, replacements } = input;
    for (let attempt = 1; ; attempt++) {
      const actions = await this.planChanges(context.project, branch, replacements);
      if (!actions) return null;
      try {
        return { sha: (await this.writer.commit(context, { branch, message, actions })).id };
      } catch (error) {
        if (!isError(error, { code: 'git.file_changed' }) || attempt === attempts) throw error;
      }
    }
  }

  private async planChanges(
    project: ProjectRef,
    branch: string,
    replacements: Replacement[],
  ): Promise<FileAction[] | undefined> {
    const located = this.storages.locate(project);
    const actions: FileAction[] = [];
    for (const filePath of new Set(replacements.map(({ path }) => path))) {
      const file = await readText(located, `refs/heads/${branch}`, filePath);
      const ofFile = replacements.filter(({ path }) => path === filePath);
      const content = file && replaceIn(file.text, ofFile);
      if (!file || content === undefined) return undefined;
      const lastCommitId = await located.engine.log.lastCommitOf(located.path, file.commitId, filePath);
      actions.push({ action: 'update', filePath, content, lastCommitId: lastCommitId ?? file.commitId });
    }
    return actions;
  }
}

function groupByFile(ranges: readonly LineRange[]): Iterable<FileRanges> {
  const files = new Map<string, FileRanges>();
  for (const [at, { revision, path, first, last }] of ranges.entries()) {
    const key = JSON.stringify([revision, path]);
    const file = files.get(key) ?? { revision, path, wanted: [] };
    files.set(key, file);
    file.wanted.push({ at, first, last });
  }
  return files.values();
}

/** Undefined if it is not a text file, or too long. */
async function readText({ engine, path }: Located, revision: string, file: string) {
  const commit = await engine.commits.find(path, revision);
  const entry = commit && (await engine.trees.find(path, commit.treeId, file));
  if (!commit || entry?.type !== 'blob' || entry.mode === link) return undefined;
  const blob = await engine.objects.read(path, entry.id, maxFileBytes).catch((error: unknown) => {
    if (error instanceof GitError && error.reason === 'object_too_large') return null;
    throw error;
  });
  const text = blob?.content.toString();
  return blob && text !== undefined && Buffer.from(text).equals(blob.content)
    ? { text, commitId: commit.id }
    : undefined;
}
