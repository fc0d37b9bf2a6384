import { createHash } from 'node:crypto';
import {
  Access,
  type AccessLevel,
  branchProtection,
  branchTips,
  type Caller,
  createMergeRequest,
  type EventInput,
  ensurePipelineOfMergeRequest,
  getMergeRequest,
  getPipeline,
  getProject,
  historiesWithCommit,
  type InputOf,
  listMergeChanges,
  listMergeRequestNotes,
  listPipelinesOfRefs,
  mergeability,
  mergeBranches,
  mergeChanges,
  mergeCommits,
  mergeErrors,
  mergeHeadsWithCommit,
  mergeMergeRequest,
  OperationError,
  type ProjectRef,
  type ProjectSettings,
  pageOf,
  projectRefs,
  rebaseBranch,
  repositoryPushed,
  repositoryUpdated,
  updateMergeRequest,
} from '@moothall/contracts';
import { CollaborationUnderTest } from './collaboration-under-test';

type Commit = ReturnType<typeof commitOf>;
type Sides = InputOf<typeof mergeability>;

export const shaOf = (text: string): string => createHash('sha1').update(text).digest('hex');

const at = '2020-10-15T08:12:01.000+02:00';
const commitOf = (message: string, parents: string[], id = shaOf(`${message}${parents}`)) => ({
  id,
  short_id: id.slice(0, 8),
  created_at: at,
  parent_ids: parents,
  title: message.split('\n')[0]!,
  message,
  author_name: 'A',
  author_email: 'a@example.com',
  authored_date: at,
  committer_name: 'A',
  committer_email: 'a@example.com',
  committed_date: at,
  web_url: '',
});

/** The service, with stub branches of the repository service: each a list of commits, oldest first. */
export class MergeRequestWorld {
  private readonly branches = new Map<string, Commit[]>();
  /** Branches with conflicting changes. */
  readonly conflicting = new Set<string>();
  /** Branches into which nobody may merge. */
  readonly closed = new Set<string>();
  readonly settings = new Map<number, Partial<ProjectSettings>>();
  readonly forks = new Map<number, number>();
  /** Numbers of merge requests whose head contains a commit. */
  readonly headsWith = new Map<string, number[]>();
  readonly pipelines = new Map<string, 'running' | 'success' | 'failed'>();
  /** Pipelines that events requested. */
  readonly ensured: InputOf<typeof ensurePipelineOfMergeRequest>[] = [];
  private readonly levels = new Map<string, AccessLevel>();

  private constructor(readonly world: CollaborationUnderTest) {}

  static async start(): Promise<MergeRequestWorld> {
    const started = new MergeRequestWorld(await CollaborationUnderTest.start());
    started.answerAsOthers();
    return started;
  }

  stop(): Promise<void> {
    return this.world.stop();
  }

  /** A project with a `main` of one commit, and `feature` one commit ahead. */
  project(over: Partial<ProjectRef> = {}): ProjectRef {
    const project = this.world.project(over);
    this.commit(project, 'main', 'first');
    this.branch(project, 'feature', 'main');
    this.commit(project, 'feature', 'second');
    return project;
  }

  branch({ id }: ProjectRef, name: string, from: string): void {
    this.branches.set(`${id}/${name}`, [...(this.branches.get(`${id}/${from}`) ?? [])]);
  }

  commit({ id }: ProjectRef, branch: string, message: string): string {
    const commits = this.branches.get(`${id}/${branch}`) ?? [];
    // The first commit is the same in all projects, as in forks; all others are unique to their project.
    const parents = commits.length > 0 ? [commits.at(-1)!.id] : [];
    const commit = commitOf(message, parents, parents.length > 0 ? shaOf(`${id}${message}${parents}`) : undefined);
    this.branches.set(`${id}/${branch}`, [...commits, commit]);
    return commit.id;
  }

  remove({ id }: ProjectRef, branch: string): void {
    this.branches.delete(`${id}/${branch}`);
  }

  tip({ id }: Pick<ProjectRef, 'id'>, branch: string): string | null {
    return this.branches.get(`${id}/${branch}`)?.at(-1)?.id ?? null;
  }

  join(user: Caller, project: ProjectRef, level: AccessLevel): void {
    this.levels.set(`${user.id}/${project.id}`, level);
    this.world.join(user, project, level);
  }

  levelOf(userId: number | null, projectId: number): AccessLevel {
    return this.levels.get(`${userId}/${projectId}`) ?? Access.None;
  }

  /** Publishes a push. */
  push(project: ProjectRef, user: Caller, branch: string, before: string | null): Promise<void> {
    return this.world.service.emit(repositoryPushed, {
      project_id: project.id,
      user_id: user.id,
      ref: `refs/heads/${branch}`,
      before: before ?? '0'.repeat(40),
      after: this.tip(project, branch) ?? '0'.repeat(40),
      default_branch: 'main',
      is_empty: false,
      readme_path: null,
    } as never);
  }

  /** The same with all refs of the push, for consumers that create pipelines. */
  pushAll(
    project: ProjectRef,
    { id, username, name, email }: Caller,
    over: Partial<EventInput<typeof repositoryUpdated>>,
  ) {
    const user = { id, username, name, email };
    const data = { project_id: project.id, user, changes: [], push_options: [], ...over };
    return this.world.service.emit(repositoryUpdated, data);
  }

  open(project: ProjectRef, author: Caller, over: Partial<InputOf<typeof createMergeRequest>> = {}) {
    return this.world.inProject(createMergeRequest, project, author, Access.Developer, {
      source_branch: 'feature',
      target_branch: 'main',
      title: 'A feature',
      ...over,
    });
  }

  get(project: ProjectRef, iid: number, caller: Caller | undefined = undefined, level: AccessLevel = Access.Developer) {
    return this.world.inProject(getMergeRequest, project, caller, level, { merge_request_iid: iid });
  }

  update(
    project: ProjectRef,
    user: Caller,
    iid: number,
    change: Partial<InputOf<typeof updateMergeRequest>>,
    level: AccessLevel = Access.Developer,
  ) {
    return this.world.inProject(updateMergeRequest, project, user, level, { merge_request_iid: iid, ...change });
  }

  merge(project: ProjectRef, user: Caller, iid: number, how: Partial<InputOf<typeof mergeMergeRequest>> = {}) {
    const input = { merge_request_iid: iid, ...how };
    return this.world.inProject(mergeMergeRequest, project, user, Access.Developer, input);
  }

  /** Its notes, oldest first. */
  async notesOf(project: ProjectRef, user: Caller, iid: number): Promise<string[]> {
    const asked = { merge_request_iid: iid, sort: 'asc' as const };
    const { items } = await this.world.inProject(listMergeRequestNotes, project, user, Access.Developer, asked);
    return items.map(({ body }) => body);
  }

  /** A new member. */
  member(project: ProjectRef, level: AccessLevel = Access.Developer): Caller {
    const user = this.world.user();
    this.join(user, project, level);
    return user;
  }

  /** Lets merges succeed again. */
  mergeAgain(): void {
    this.world.service.respond(mergeBranches, (input, { project }) => this.mergeInGit(input, project!));
  }

  private answerAsOthers(): void {
    const { respond } = this.world.service;
    respond(projectRefs, ({ ids, user_id }) =>
      ids.flatMap((id) => {
        const project = this.world.projects.get(id);
        return project ? { ...project, accessLevel: this.levelOf(user_id, id) } : [];
      }),
    );
    respond(getProject, ({ id }, { caller }) => {
      // Anonymous callers do not get settings.
      const settings = caller && this.settings.get(Number(id));
      const parent = this.forks.get(Number(id));
      return { id: Number(id), ...settings, ...(parent && { forked_from_project: { id: parent } }) } as never;
    });
    respond(listPipelinesOfRefs, ({ sha, refs: [ref] }, { project }) => {
      const tip = sha ?? this.tip(project!, ref!)!;
      const items = this.pipelines.has(tip) ? [this.pipeline(project!, ref!, tip)] : [];
      return { items, total: items.length };
    });
    respond(getPipeline, (_, { project }) => {
      const sha = this.tip(project!, 'feature')!;
      const status = { icon: '', text: '', label: '', group: '', tooltip: '', has_details: false };
      return {
        ...this.pipeline(project!, 'feature', sha),
        before_sha: sha,
        tag: false,
        yaml_errors: null,
        user: null,
        started_at: at,
        finished_at: null,
        committed_at: null,
        duration: null,
        queued_duration: null,
        coverage: null,
        detailed_status: { ...status, details_path: null, illustration: null, favicon: '' },
      };
    });
    respond(ensurePipelineOfMergeRequest, (input) => {
      this.ensured.push(input);
    });
    respond(branchTips, ({ branches }, { project }) =>
      branches.map((name) => ({ name, sha: this.tip(project!, name) })),
    );
    respond(branchProtection, ({ branches }, { project }) =>
      branches.map((name) => {
        const isOpen = project!.accessLevel >= Access.Developer && !this.closed.has(name);
        return { name, protected: this.closed.has(name), can_push: isOpen, can_merge: isOpen };
      }),
    );
    respond(mergeability, (sides, { project }) => this.check(sides, project!));
    this.mergeAgain();
    respond(rebaseBranch, ({ source_branch, target_branch }, { project }) => {
      if (this.conflicting.has(source_branch)) return mergeErrors.notMergeable();
      const own = this.between(this.list(project!, target_branch), this.list(project!, source_branch));
      this.branches.set(`${project!.id}/${source_branch}`, [...this.list(project!, target_branch)]);
      for (const { message } of own) this.commit(project!, source_branch, message);
      return { sha: this.tip(project!, source_branch)! };
    });
    respond(mergeCommits, ({ base_sha, head_sha, page = 1, per_page = 20 }) => {
      if (this.historyOf(base_sha).length === 0) return new OperationError({ code: 'git.revision_not_found' });
      const all = this.between(this.historyOf(base_sha), this.historyOf(head_sha)).reverse();
      return { items: all.slice((page - 1) * per_page, page * per_page), total: all.length };
    });
    respond(mergeHeadsWithCommit, ({ sha }) => ({ sha, iids: this.headsWith.get(sha) ?? [] }));
    respond(historiesWithCommit, ({ sha, among }) =>
      among.filter((one) => this.historyOf(one).some(({ id }) => id === sha)),
    );
    respond(mergeChanges, (range) => ({ diffs: this.changesIn(range), overflow: false }));
    respond(listMergeChanges, (range) => pageOf(this.changesIn(range), { page: 1, per_page: 20, ...range }));
  }

  /** One file for each commit. */
  private changesIn({ base_sha, head_sha }: { base_sha: string; head_sha: string }) {
    return this.between(this.historyOf(base_sha), this.historyOf(head_sha)).map(({ title }) => ({
      old_path: title,
      new_path: title,
      a_mode: null,
      b_mode: '100644',
      diff: '@@ -0,0 +1 @@\n+a\n',
      new_file: true,
      renamed_file: false,
      deleted_file: false,
    }));
  }

  private pipeline({ id }: ProjectRef, ref: string, sha: string) {
    const status = this.pipelines.get(sha)!;
    const times = { created_at: at, updated_at: at };
    return {
      id: 1,
      iid: 1,
      project_id: id,
      sha,
      ref,
      status,
      name: null,
      source: 'push' as const,
      ...times,
      web_url: '',
    };
  }

  private check(sides: Sides, project: ProjectRef) {
    const source = this.branches.get(`${sides.source_project?.id ?? project.id}/${sides.source_branch}`);
    const target = this.branches.get(`${project.id}/${sides.target_branch}`);
    const ahead = source && target ? this.between(target, source) : [];
    const behind = source && target ? this.between(source, target) : [];
    const common = source?.filter(({ id }) => target?.some((commit) => commit.id === id));
    return {
      status: this.statusOf(source, target, ahead.length, sides.source_branch),
      base_sha: common?.at(-1)?.id ?? null,
      start_sha: target?.at(-1)?.id ?? null,
      head_sha: source?.at(-1)?.id ?? null,
      commits_count: ahead.length,
      diverged_commits_count: behind.length,
      can_fast_forward: behind.length === 0,
      can_merge: project.accessLevel >= Access.Developer && !this.closed.has(sides.target_branch),
    };
  }

  private statusOf(source: Commit[] | undefined, target: Commit[] | undefined, ahead: number, branch: string) {
    if (!source) return 'source_missing' as const;
    if (!target) return 'target_missing' as const;
    if (ahead === 0) return 'nothing_to_merge' as const;
    return this.conflicting.has(branch) ? ('conflict' as const) : ('can_be_merged' as const);
  }

  private mergeInGit(input: InputOf<typeof mergeBranches>, project: ProjectRef) {
    const source = this.branches.get(`${input.source_project?.id ?? project.id}/${input.source_branch}`) ?? [];
    const target = this.list(project, input.target_branch);
    if (input.sha !== source.at(-1)?.id) return mergeErrors.sourceMoved();
    if (this.conflicting.has(input.source_branch)) return mergeErrors.notMergeable();
    const merge = commitOf(input.message, [target.at(-1)!.id, source.at(-1)!.id]);
    const done = target.find(({ parent_ids }) => parent_ids[1] === input.sha);
    if (!done)
      this.branches.set(`${project.id}/${input.target_branch}`, [...target, ...this.between(target, source), merge]);
    if (input.remove_source_branch) this.remove(project, input.source_branch);
    const sha = done?.id ?? merge.id;
    return {
      merge_commit_sha: sha,
      squash_commit_sha: input.squash ? shaOf(input.squash_message!) : null,
      target_sha: sha,
      source_branch_removed: input.remove_source_branch ?? false,
    };
  }

  private list({ id }: ProjectRef, branch: string): Commit[] {
    return this.branches.get(`${id}/${branch}`) ?? [];
  }

  private between(base: Commit[], head: Commit[]): Commit[] {
    return head.filter(({ id }) => !base.some((commit) => commit.id === id));
  }

  private historyOf(sha: string): Commit[] {
    for (const commits of this.branches.values()) {
      const end = commits.findIndex(({ id }) => id === sha);
      if (end >= 0) return commits.slice(0, end + 1);
    }
    return [];
  }
}

/** Error code of a refused operation; `ok` if it succeeds. */
export const codeOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'ok',
    (error: unknown) => (error instanceof OperationError ? error.code : String(error)),
  );
