import type { Caller, ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { RE2JS } from 're2js';
import type { Incoming, IncomingFile, IncomingReader } from '../git/read/incoming';
import type { RefUpdate } from '../git/refs/refs';
import { pointerBytes } from '../lfs/lfs-pointer';
import { PushRuleSets } from '../push-rule/push-rule.repository';
import type { PushRule } from '../push-rule/push-rule.schema';
import { type Located, Storages } from '../storage/storages';
import { CommitChecks, concernsCommits } from './commit-checks';
import { concernsFiles, FileChecks } from './file-checks';
import { LfsChecks } from './lfs-checks';
import { onOneLine, PushRefused } from './push-refused';

/**
 * Limit of checked commits in one push: with rules a larger push is refused, for locks alone only the heads are
 * checked.
 */
const mostCommits = 50_000;
const commitsAtOnce = 500;
/** Time limit of all checks of one push. */
const mostMs = 120_000;

/** A project, and the caller who changes it. */
export interface CheckedProject {
  project: Pick<ProjectRef, 'id' | 'storage' | 'lfsEnabled'>;
  caller: Caller | undefined;
  /** The server creates the commits, in the caller's name. */
  isByInterface: boolean;
}

/**
 * Checks changes against the push rules of the project, and against the objects and locks of Git LFS: pushes over git
 * in quarantine, changes by the API before the ref moves. See docs/api/repository.md#14, docs/api/lfs.md#6.
 */
@Injectable()
export class PushChecks {
  constructor(
    private readonly rules: PushRuleSets,
    private readonly storages: Storages,
    private readonly commits: CommitChecks,
    private readonly files: FileChecks,
    private readonly lfs: LfsChecks,
  ) {}

  /** Objections to names of refs, by ref; these need no objects. */
  async objectionsToNames(push: CheckedProject, updates: readonly RefUpdate[]): Promise<Map<string, string>> {
    const rule = await this.ruleOf(push);
    if (!rule) return new Map();
    const { engine, path } = this.storages.locate(push.project);
    const main = rule.branchNameRegex ? await engine.storage.defaultBranch(path) : null;
    return new Map(
      updates.flatMap((update) => {
        const objection = objectionToName(update, rule, main, push.isByInterface);
        return objection ? [[update.refName, onOneLine(objection)] as const] : [];
      }),
    );
  }

  /**
   * The objection to the pushed content; undefined for none.
   * @param quarantine folder of the objects that are not part of the repository yet
   */
  async objectionToContent(
    push: CheckedProject,
    updates: readonly RefUpdate[],
    quarantine?: string,
  ): Promise<string | undefined> {
    const arriving = updates.filter(({ refName, after }) => after !== null && /^refs\/(heads|tags)\//.test(refName));
    if (arriving.length === 0) return undefined;
    try {
      const located = this.storages.locate(push.project);
      await this.look(push, located, { repository: located.path, updates: arriving, quarantine });
      return undefined;
    } catch (error) {
      if (error instanceof PushRefused) return error.message;
      throw error;
    }
  }

  private ruleOf({ project }: CheckedProject): Promise<PushRule | null> {
    return this.rules.find({ kind: 'project', parentId: project.id });
  }

  private async look(push: CheckedProject, located: Located, incoming: Incoming): Promise<void> {
    const rule = await this.ruleOf(push);
    const usesLfs = push.project.lfsEnabled !== false;
    const requireTime = deadline();
    const isLocked = usesLfs && (await this.lfs.areLocked(push.project.id, push.caller?.id));
    if (rule || isLocked) await this.lookAtCommits(push, located, incoming, { rule, isLocked, requireTime });
    if (usesLfs) await this.lookForPointers(push, located, incoming, requireTime);
  }

  private async lookAtCommits(
    push: CheckedProject,
    { engine }: Located,
    incoming: Incoming,
    { rule, isLocked, requireTime }: { rule: PushRule | null; isLocked: boolean; requireTime: () => void },
  ): Promise<void> {
    const { incoming: reader } = engine;
    const ids = await reader.newCommits(incoming, mostCommits);
    if (ids.length === 0) return;
    const isWhole = ids.length <= mostCommits;
    if (rule && !isWhole)
      throw new PushRefused(`The push rules of this project are held against ${mostCommits} commits at once at most.`);
    const pusher = { caller: push.caller, isByInterface: push.isByInterface };
    const who = `user ${push.caller?.id ?? 0}`;
    for (let at = 0; rule && concernsCommits(rule) && at < ids.length; at += commitsAtOnce) {
      requireTime();
      const some = await reader.commits(incoming, ids.slice(at, at + commitsAtOnce));
      await this.commits.require(some, rule, pusher, who);
    }
    const fileRule = rule && concernsFiles(rule) ? rule : null;
    if (!isLocked && !fileRule) return;
    for await (const files of isWhole ? reader.files(incoming, ids) : reader.filesOfTips(incoming)) {
      requireTime();
      if (isLocked) await this.lfs.requireFree(push.project.id, push.caller?.id, files);
      if (fileRule)
        await this.files.require(files, fileRule, await this.sizesOf(reader, incoming, files, fileRule), who);
    }
  }

  /** Only if a rule needs them. */
  private async sizesOf(
    reader: IncomingReader,
    incoming: Incoming,
    files: readonly IncomingFile[],
    { maxFileSize }: PushRule,
  ): Promise<Map<string, number>> {
    return maxFileSize > 0 ? reader.sizes(incoming, contentsOf(files)) : new Map();
  }

  private async lookForPointers(
    { project }: CheckedProject,
    { engine }: Located,
    incoming: Incoming,
    requireTime: () => void,
  ): Promise<void> {
    for await (const contents of engine.smallBlobs.read(incoming, pointerBytes)) {
      requireTime();
      await this.lfs.requireObjects(project.id, contents);
    }
  }
}

const contentsOf = (files: readonly IncomingFile[]): string[] => [
  ...new Set(files.map(({ blobId }) => blobId).filter((id) => id !== null)),
];

function deadline(): () => void {
  const end = Date.now() + mostMs;
  return () => {
    if (Date.now() > end) throw new PushRefused('The push takes too long to be checked. Push it in parts.');
  };
}

function objectionToName(
  { refName, before, after }: RefUpdate,
  rule: PushRule,
  main: string | null,
  isByInterface: boolean,
): string | undefined {
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.+)$/s.exec(refName) ?? [];
  if (kind === 'tags' && after === null && before !== null && rule.denyDeleteTag && !isByInterface)
    return 'You cannot delete a tag';
  if (kind !== 'heads' || after === null || !rule.branchNameRegex || name === main) return undefined;
  // Names are short, and the pattern has few steps.
  if (RE2JS.compile(rule.branchNameRegex).matcher(name).find()) return undefined;
  return `Branch name '${name}' does not follow the pattern '${rule.branchNameRegex}'`;
}
