import {
  branchTips,
  type ContextOf,
  contentErrors,
  historiesWithCommit,
  listMergeChanges,
  mergeability,
  mergeChanges,
  mergeCommits,
  mergeHeadsWithCommit,
  mostHeadsWithCommit,
  type ParsedOf,
  pageOf,
  window,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Controller, Inject, UseInterceptors } from '@nestjs/common';
import { projectUrl, viewCommit } from '../code/commit/commit.view';
import { GitError } from '../git/process/errors';
import { ProtectedRefs } from '../protection/protected-ref.repository';
import { actorOf } from '../protection/protections';
import { FairReads } from '../storage/fair-reads';
import { type Located, Storages } from '../storage/storages';
import { MergeSides, type Sides, tipOf } from './merge-sides';

/** Reads for merge requests. */
@Controller()
@UseInterceptors(FairReads)
export class MergeOperations {
  constructor(
    private readonly sides: MergeSides,
    private readonly storages: Storages,
    private readonly refs: ProtectedRefs,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  @Handles(mergeability)
  async check({ project, caller }: ContextOf<typeof mergeability>, input: ParsedOf<typeof mergeability>) {
    const sides = await this.sides.find(project, input);
    const protections = await this.refs.readProtections(project.id, { kind: 'branch', names: [input.target_branch] });
    return {
      ...(await factsOf(sides)),
      can_merge: protections.canMerge(input.target_branch, actorOf(project, caller)),
    };
  }

  @Handles(mergeChanges)
  async changes({ project }: ContextOf<typeof mergeChanges>, input: ParsedOf<typeof mergeChanges>) {
    const located = this.storages.locate(project);
    await requireCommits(located, input.base_sha, input.head_sha);
    return located.engine.diffs.compare(located.path, input.base_sha, input.head_sha);
  }

  @Handles(listMergeChanges)
  async listChanges(context: ContextOf<typeof listMergeChanges>, input: ParsedOf<typeof listMergeChanges>) {
    return pageOf((await this.changes(context, input)).diffs, input);
  }

  @Handles(mergeCommits)
  async commits({ project }: ContextOf<typeof mergeCommits>, input: ParsedOf<typeof mergeCommits>) {
    const located = this.storages.locate(project);
    const { engine, path } = located;
    await requireCommits(located, input.base_sha, input.head_sha);
    const range = { from: input.head_sha, not: [input.base_sha] };
    const { skip, limit } = window(input);
    const [commits, total] = await Promise.all([
      engine.log.list(path, { ...range, offset: skip, limit }),
      engine.log.count(path, range),
    ]);
    const url = projectUrl(this.settings.EXTERNAL_URL, project);
    return { items: commits.map((commit) => viewCommit(commit, url)), total };
  }

  @Handles(mergeHeadsWithCommit)
  async headsWith({ project }: ContextOf<typeof mergeHeadsWithCommit>, input: ParsedOf<typeof mergeHeadsWithCommit>) {
    const { engine, path } = this.storages.locate(project);
    const commit = await engine.commits.find(path, input.sha);
    if (!commit) throw contentErrors.commitNotFound();
    const names = await engine.refs.namesContaining(path, 'merge-requests', commit.id);
    const iids = names.map((name) => Number.parseInt(name, 10)).sort((one, other) => one - other);
    return { sha: commit.id, iids: iids.slice(0, mostHeadsWithCommit) };
  }

  @Handles(historiesWithCommit)
  async historiesWith(
    { project }: ContextOf<typeof historiesWithCommit>,
    { sha, among }: ParsedOf<typeof historiesWithCommit>,
  ) {
    const { engine, path } = this.storages.locate(project);
    const found: string[] = [];
    for (const id of new Set(among)) {
      if ((await engine.commits.get(path, id)) && (await engine.reachability.isAncestor(path, sha, id))) found.push(id);
    }
    return found;
  }

  @Handles(branchTips)
  async tips({ project }: ContextOf<typeof branchTips>, { branches }: ParsedOf<typeof branchTips>) {
    const located = this.storages.locate(project);
    return Promise.all(branches.map(async (name) => ({ name, sha: await tipOf(located, name) })));
  }
}

async function factsOf({ located, source, target }: Sides) {
  const { engine, path } = located;
  const shas = { base_sha: null, start_sha: target, head_sha: source };
  const none = { ...shas, commits_count: 0, diverged_commits_count: 0, can_fast_forward: false };
  if (!source) return { status: 'source_missing' as const, ...none };
  if (!target) return { status: 'target_missing' as const, ...none };
  const [base, { ahead, behind }] = await Promise.all([
    engine.mergeBases.findOfCommits(path, [target, source]),
    engine.log.divergence(path, target, source),
  ]);
  const facts = { ...none, base_sha: base, commits_count: ahead, diverged_commits_count: behind };
  if (ahead === 0) return { status: 'nothing_to_merge' as const, ...facts };
  const tree = await engine.merges.mergedTree(path, target, source);
  if (!tree) return { status: 'conflict' as const, ...facts };
  return { status: 'can_be_merged' as const, ...facts, can_fast_forward: behind === 0 };
}

async function requireCommits({ engine, path }: Located, ...ids: string[]): Promise<void> {
  for (const id of ids) if (!(await engine.commits.get(path, id))) throw new GitError('revision_not_found');
}
