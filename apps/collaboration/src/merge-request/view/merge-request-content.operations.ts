import {
  type ContextOf,
  getMergeRequestVersion,
  isFeatureOpen,
  listIssuesClosedByMergeRequest,
  listMergeRequestCommits,
  listMergeRequestDiffs,
  listMergeRequestParticipants,
  listMergeRequestPipelines,
  listMergeRequestVersions,
  type ParsedOf,
  pageOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { participantsOf } from '../../issuable/issuable';
import { IssueViews } from '../../issue/issue-views';
import { isHiddenFrom } from '../../issue/visible-issues';
import { HeadPipeline } from '../mergeability/head-pipeline';
import { MergeRequestGit } from '../mergeability/merge-request-git';
import { MergeRequests } from '../record/merge-request.repository';
import { MergeRequestVersions, viewVersion } from '../record/merge-request-versions';
import { ClosedIssues } from './closed-issues';

/** Limit of commits that a single version lists. */
const versionCommits = 100;

/** Commits, changes and versions of a merge request. */
@Controller()
export class MergeRequestContent {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly versions: MergeRequestVersions,
    private readonly git: MergeRequestGit,
    private readonly pipelineFinder: HeadPipeline,
    private readonly closing: ClosedIssues,
    private readonly issueViews: IssueViews,
    private readonly users: UserDirectory,
  ) {}

  @Handles(listMergeRequestCommits)
  async commits(
    { project }: ContextOf<typeof listMergeRequestCommits>,
    input: ParsedOf<typeof listMergeRequestCommits>,
  ) {
    const { page, per_page, merge_request_iid } = input;
    return this.git.listCommits(await this.mergeRequests.get(project, merge_request_iid), project, { page, per_page });
  }

  @Handles(listMergeRequestDiffs)
  async diffs({ project }: ContextOf<typeof listMergeRequestDiffs>, input: ParsedOf<typeof listMergeRequestDiffs>) {
    const { page, per_page, merge_request_iid } = input;
    return this.git.listChanges(await this.mergeRequests.get(project, merge_request_iid), project, { page, per_page });
  }

  @Handles(listMergeRequestVersions)
  async listVersions(
    { project }: ContextOf<typeof listMergeRequestVersions>,
    input: ParsedOf<typeof listMergeRequestVersions>,
  ) {
    const { _id } = await this.mergeRequests.get(project, input.merge_request_iid);
    const { items, total } = await this.versions.page(_id, input);
    return { items: items.map(viewVersion), total };
  }

  @Handles(getMergeRequestVersion)
  async version({ project }: ContextOf<typeof getMergeRequestVersion>, input: ParsedOf<typeof getMergeRequestVersion>) {
    const { _id } = await this.mergeRequests.get(project, input.merge_request_iid);
    const version = await this.versions.get(_id, input.version_id);
    const [commits, { diffs, overflow }] = await Promise.all([
      this.git.listCommits(version, project, { per_page: versionCommits }),
      this.git.readChanges(version, project),
    ]);
    const real_size = `${diffs.length}${overflow ? '+' : ''}`;
    return { ...viewVersion(version), real_size, commits: commits.items, diffs };
  }

  @Handles(listMergeRequestPipelines)
  async pipelines(
    { project, caller }: ContextOf<typeof listMergeRequestPipelines>,
    input: ParsedOf<typeof listMergeRequestPipelines>,
  ) {
    const { page, per_page, merge_request_iid } = input;
    const mergeRequest = await this.mergeRequests.get(project, merge_request_iid);
    return this.pipelineFinder.findPage(mergeRequest, project, caller, { page, per_page });
  }

  @Handles(listMergeRequestParticipants)
  async participants(
    { project }: ContextOf<typeof listMergeRequestParticipants>,
    input: ParsedOf<typeof listMergeRequestParticipants>,
  ) {
    const mergeRequest = await this.mergeRequests.get(project, input.merge_request_iid);
    const { items, total } = pageOf(participantsOf(mergeRequest), input);
    const users = await this.users.summaries(items);
    return { items: items.flatMap((id) => users.get(id) ?? []), total };
  }

  @Handles(listIssuesClosedByMergeRequest)
  async closedIssues(
    { project, caller }: ContextOf<typeof listIssuesClosedByMergeRequest>,
    input: ParsedOf<typeof listIssuesClosedByMergeRequest>,
  ) {
    const mergeRequest = await this.mergeRequests.get(project, input.merge_request_iid);
    const texts = await this.closing.textsOf(mergeRequest, project);
    const issues = isFeatureOpen(project, 'issues') ? await this.closing.namedIn(texts, project) : [];
    const seen = issues.filter((issue) => !isHiddenFrom(issue, caller, project.accessLevel));
    const elsewhere = await this.closing.externalIn(texts, project);
    const { items, total } = pageOf([...seen, ...elsewhere], input);
    const views = await this.issueViews.view(
      items.filter((item) => 'iid' in item),
      project,
    );
    return { items: [...views, ...items.filter((item) => 'web_url' in item)], total };
  }
}
