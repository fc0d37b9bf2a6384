import type { CommitReader } from '../objects/commit-reader';
import type { ObjectReader } from '../objects/object-reader';
import type { Person } from '../objects/person';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import type { LogReader } from '../read/log';
import type { BranchAdvancer, BranchChange } from './advance-branch';
import { ObjectWriter } from './object-writer';
import { type FileEntry, TreeEditor } from './tree-editor';

/** One change of one file. @see docs/api/repository.md#8 */
export interface FileAction {
  action: 'create' | 'update' | 'delete' | 'move' | 'chmod' | 'submodule';
  filePath: string;
  /** For move. */
  previousPath?: string | undefined;
  /** Text or Base64 according to `encoding`; optional for move. */
  content?: string | Buffer | undefined;
  encoding?: 'text' | 'base64' | undefined;
  /** Refuses the change when a newer commit has changed the file. */
  lastCommitId?: string | undefined;
  executeFilemode?: boolean | undefined;
  /** Only for submodule: the commit that it should point to. */
  commitId?: string | undefined;
}

export interface NewCommit {
  branch: string;
  message: string;
  actions: readonly FileAction[];
  author: Person;
  committer: Person;
  /** Start of a new branch: any revision. */
  start?: string | undefined;
  /** With `start`: an existing branch is replaced. */
  force?: boolean | undefined;
}

const FILE = '100644';
const EXECUTABLE = '100755';
const SUBMODULE = '160000';

/** Commits by the API, without a clone: create, update, delete, move and chmod files in one commit. */
export class CommitWriter {
  constructor(
    private readonly git: GitRunner,
    private readonly objects: ObjectReader,
    private readonly commits: CommitReader,
    private readonly log: LogReader,
    private readonly branches: BranchAdvancer,
  ) {}

  /** @throws the errors of files and paths in the table, branch_exists, revision_unknown, ref_moved */
  async write(repository: string, request: NewCommit): Promise<BranchChange> {
    if (request.message.trim() === '') throw new GitError('message_missing');
    if (request.actions.length === 0) throw new GitError('actions_missing');
    return this.branches.advance(repository, request.branch, async (tip) => {
      const parent = await this.parent(repository, request, tip);
      return this.build(repository, request, parent);
    });
  }

  private async parent(repository: string, request: NewCommit, tip: string | null): Promise<string | null> {
    const startsElsewhere = request.start !== undefined && request.start !== request.branch;
    if (tip && !startsElsewhere) return tip;
    if (tip && !request.force) throw new GitError('branch_exists');
    if (!startsElsewhere) return this.requireEmpty(repository, request.branch);
    const start = await this.objects.resolve(repository, request.start);
    if (!start) throw new GitError('revision_unknown', request.start);
    return start;
  }

  /** A branch without a start must be the first one of its repository. */
  private async requireEmpty(repository: string, branch: string): Promise<null> {
    const newest = await this.log.ids(repository, { from: null, limit: 1 });
    if (newest.length > 0) throw new GitError('revision_unknown', branch);
    return null;
  }

  private async build(repository: string, request: NewCommit, parent: string | null): Promise<string> {
    const treeId = parent ? (await this.commits.require(repository, parent)).treeId : null;
    const tree = new TreeEditor(this.objects, repository, treeId);
    const writer = new ObjectWriter(this.git);
    for (const action of request.actions) {
      await this.requireUnchanged(repository, parent, action);
      await apply(tree, writer, action);
    }
    const { author, committer, message } = request;
    const parentIds = parent ? [parent] : [];
    const commitId = writer.commit({ treeId: await tree.write(writer), parentIds, author, committer, message });
    await writer.flush(repository).catch((error) => {
      const isRefusal = error instanceof GitError && /fsck|error in (object|tree|blob)/i.test(error.detail);
      throw isRefusal
        ? new GitError('path_invalid', (request.actions[0]?.filePath ?? '').slice(0, 200), error.detail)
        : error;
    });
    return commitId;
  }

  private async requireUnchanged(repository: string, parent: string | null, action: FileAction): Promise<void> {
    if (!action.lastCommitId || !parent || action.action === 'create') return;
    const path = action.previousPath ?? action.filePath;
    if ((await this.log.lastCommitOf(repository, parent, path)) !== action.lastCommitId)
      throw new GitError('file_changed');
  }
}

async function apply(tree: TreeEditor, writer: ObjectWriter, action: FileAction): Promise<void> {
  switch (action.action) {
    case 'create':
      await requireAbsent(tree, action.filePath);
      return tree.put(action.filePath, {
        mode: action.executeFilemode ? EXECUTABLE : FILE,
        id: writer.blob(contentOf(action)),
      });
    case 'update': {
      const file = await requireFile(tree, action.filePath);
      return tree.put(action.filePath, { mode: modeOf(file, action), id: writer.blob(contentOf(action)) });
    }
    case 'move': {
      const { previousPath = '' } = action;
      const file = await requireFile(tree, previousPath);
      await requireAbsent(tree, action.filePath);
      await tree.remove(previousPath);
      const id = action.content === undefined ? file.id : writer.blob(contentOf(action));
      return tree.put(action.filePath, { mode: modeOf(file, action), id });
    }
    case 'delete':
      await requireFile(tree, action.filePath);
      return tree.remove(action.filePath);
    case 'submodule': {
      const found = await tree.find(action.filePath);
      if (!found || found === 'folder' || found.mode !== SUBMODULE) throw new GitError('submodule_missing');
      const { commitId = '' } = action;
      if (found.id === commitId) throw new GitError('submodule_unchanged', commitId);
      return tree.put(action.filePath, { mode: SUBMODULE, id: commitId });
    }
    case 'chmod': {
      const file = await requireFile(tree, action.filePath);
      return tree.put(action.filePath, { mode: modeOf(file, action), id: file.id });
    }
  }
}

async function requireFile(tree: TreeEditor, path: string): Promise<FileEntry> {
  const found = await tree.find(path);
  if (!found || found === 'folder') throw new GitError('file_missing');
  return found;
}

async function requireAbsent(tree: TreeEditor, path: string): Promise<void> {
  const found = await tree.find(path);
  if (found) throw new GitError(found === 'folder' ? 'directory_exists' : 'file_exists');
}

/** Links and submodules keep their mode; of files only the executable bit changes. */
function modeOf(file: FileEntry, { executeFilemode }: FileAction): string {
  if (executeFilemode === undefined || !file.mode.startsWith('100')) return file.mode;
  return executeFilemode ? EXECUTABLE : FILE;
}

function contentOf({ content, encoding }: FileAction): Buffer {
  if (content === undefined) throw new GitError('content_missing');
  if (Buffer.isBuffer(content)) return content;
  if (encoding !== 'base64') return Buffer.from(content);
  const compact = content.replace(/\s/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) throw new GitError('content_invalid');
  return Buffer.from(compact, 'base64');
}
