import {
  type Caller,
  type ContextOf,
  cherryPickCommit,
  contentErrors,
  createCommit,
  getCommit,
  getCommitDiff,
  getCommitSequence,
  getCommitSignature,
  listCommitRefs,
  listCommits,
  type ParsedOf,
  type ProjectRef,
  pageOf,
  Reply,
  revertCommit,
  signatureLimits,
  verifySignature,
  window,
} from '@moothall/contracts';
import { Handles, RecordsClient } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Controller, Inject, UseInterceptors } from '@nestjs/common';
import { type Commit, findSignature } from '../../git/objects/commit';
import { type Applied, CodeWriter, requireWritable } from '../../push/code-writer';
import { FairReads } from '../../storage/fair-reads';
import { type Located, Storages } from '../../storage/storages';
import { projectUrl, viewCommit, viewStats, viewTrailers } from './commit.view';
import { LastPipelines } from './last-pipeline';

@Controller()
@UseInterceptors(FairReads)
export class CommitOperations {
  constructor(
    private readonly storages: Storages,
    private readonly writer: CodeWriter,
    private readonly pipelines: LastPipelines,
    private readonly records: RecordsClient,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  @Handles(listCommits)
  async list({ project }: ContextOf<typeof listCommits>, input: ParsedOf<typeof listCommits>) {
    const located = this.storages.locate(project);
    const { engine, path } = located;
    const start = input.all ? null : await this.find(located, input.ref_name);
    const { skip, limit } = window(input);
    const commits = await engine.log.list(path, {
      from: start?.id ?? null,
      path: input.path,
      since: input.since,
      until: input.until,
      author: input.author,
      firstParent: input.first_parent,
      order: input.order,
      offset: skip,
      limit,
    });
    const ids = commits.map((commit) => commit.id);
    const stats = input.with_stats ? await engine.commitStats.get(path, ids) : undefined;
    const items = commits.map((commit) => {
      const counted = stats?.get(commit.id);
      return {
        ...this.view(commit, project),
        ...(input.trailers && viewTrailers(commit)),
        ...(counted && { stats: viewStats(counted) }),
      };
    });
    return { items };
  }

  @Handles(getCommit)
  async get(context: ContextOf<typeof getCommit>, { sha, stats }: ParsedOf<typeof getCommit>) {
    return this.detail(context, await this.find(this.storages.locate(context.project), sha), stats);
  }

  @Handles(getCommitDiff)
  async diff({ project }: ContextOf<typeof getCommitDiff>, input: ParsedOf<typeof getCommitDiff>) {
    const located = this.storages.locate(project);
    const commit = await this.find(located, input.sha);
    const { diffs } = await located.engine.diffs.compareWithParent(located.path, commit.id);
    return pageOf(diffs, input);
  }

  @Handles(listCommitRefs)
  async refs({ project }: ContextOf<typeof listCommitRefs>, input: ParsedOf<typeof listCommitRefs>) {
    const located = this.storages.locate(project);
    const { id } = await this.find(located, input.sha);
    const { engine, path } = located;
    const named = async (type: 'branch' | 'tag', kind: 'heads' | 'tags') =>
      input.type === 'all' || input.type === type
        ? (await engine.refs.namesContaining(path, kind, id)).map((name) => ({ type, name }))
        : [];
    return pageOf([...(await named('branch', 'heads')), ...(await named('tag', 'tags'))], input);
  }

  @Handles(getCommitSequence)
  async sequence({ project }: ContextOf<typeof getCommitSequence>, input: ParsedOf<typeof getCommitSequence>) {
    const located = this.storages.locate(project);
    const { id } = await this.find(located, input.sha);
    return { count: await located.engine.log.count(located.path, { from: id, firstParent: input.first_parent }) };
  }

  /** The service that stores keys knows the owner of a signature. See docs/api/keys.md#5. */
  @Handles(getCommitSignature)
  async signature({ project }: ContextOf<typeof getCommitSignature>, input: ParsedOf<typeof getCommitSignature>) {
    const located = this.storages.locate(project);
    const { id, committer } = await this.find(located, input.sha);
    const object = await located.engine.objects.read(located.path, id);
    const signed = object && findSignature(object.content);
    const { signature: longest, payload: largest } = signatureLimits;
    const isLookedAt = signed && signed.signature.length <= longest && signed.payload.length <= largest;
    const verdict =
      isLookedAt &&
      (await this.records.call(verifySignature, {
        signature: signed.signature,
        payload: signed.payload.toString('base64'),
        committer_email: committer.email,
      }));
    if (!verdict) throw contentErrors.signatureNotFound();
    return verdict;
  }

  @Handles(createCommit)
  async create(context: ContextOf<typeof createCommit>, input: ParsedOf<typeof createCommit>) {
    const commit = await this.writer.commit(context, {
      branch: input.branch,
      message: input.commit_message,
      start: input.start_sha ?? input.start_branch,
      force: input.force,
      authorName: input.author_name,
      authorEmail: input.author_email,
      actions: input.actions.map((action) => ({
        action: action.action,
        filePath: action.file_path,
        previousPath: action.previous_path,
        content: action.content,
        encoding: action.encoding,
        lastCommitId: action.last_commit_id,
        executeFilemode: action.execute_filemode,
      })),
    });
    return this.detail(context, commit, input.stats);
  }

  @Handles(cherryPickCommit)
  cherryPick(context: ContextOf<typeof cherryPickCommit>, input: ParsedOf<typeof cherryPickCommit>) {
    return this.apply(context, input, (wanted) => this.writer.cherryPick(context, wanted));
  }

  @Handles(revertCommit)
  revert(context: ContextOf<typeof revertCommit>, input: ParsedOf<typeof revertCommit>) {
    return this.apply(context, input, (wanted) => this.writer.revert(context, wanted));
  }

  /** See docs/api/repository.md#11. */
  private async apply(
    { project }: ContextOf<typeof revertCommit>,
    { sha, branch, message, dry_run: isDryRun }: ParsedOf<typeof revertCommit>,
    write: (wanted: Applied) => Promise<Commit>,
  ) {
    requireWritable(project);
    const { id: commitId } = await this.find(this.storages.locate(project), sha);
    const made = this.view(await write({ branch, commitId, message, isDryRun }), project);
    return isDryRun ? new Reply({ ...made, dry_run: 'success' as const }, { status: 200 }) : made;
  }

  private async find({ engine, path }: Located, revision: string | undefined): Promise<Commit> {
    const commit = await engine.commits.find(path, revision);
    if (!commit) throw contentErrors.commitNotFound();
    return commit;
  }

  private view(commit: Commit, project: ProjectRef) {
    return viewCommit(commit, projectUrl(this.settings.EXTERNAL_URL, project));
  }

  private async detail(
    context: { project: ProjectRef; caller?: Caller | undefined },
    commit: Commit,
    withStats: boolean,
  ) {
    const { project } = context;
    const { engine, path } = this.storages.locate(project);
    const [stats, pipeline] = await Promise.all([
      withStats ? engine.commitStats.get(path, [commit.id]) : undefined,
      this.pipelines.find(context, commit.id),
    ]);
    const counted = stats?.get(commit.id);
    return {
      ...this.view(commit, project),
      ...(withStats && { stats: viewStats(counted ?? { additions: 0, deletions: 0 }) }),
      status: pipeline?.status ?? null,
      last_pipeline: pipeline,
      project_id: project.id,
    };
  }
}
