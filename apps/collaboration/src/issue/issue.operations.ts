import {
  type ContextOf,
  commonErrors,
  forbidden,
  getIssue,
  getIssueById,
  getIssueUserAgent,
  issueErrors,
  listIssueParticipants,
  type ParsedOf,
  pageOf,
  Reply,
  subscribeToIssue,
  unsubscribeFromIssue,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { isSubscribed, participantsOf, subscription } from '../issuable/issuable';
import { ParentDirectory } from '../parent/parent-directory';
import { viewUserAgent } from '../user-agent/user-agent.view';
import { Issues } from './issue.repository';
import { IssueViews } from './issue-views';

@Controller()
export class IssueOperations {
  constructor(
    private readonly issues: Issues,
    private readonly views: IssueViews,
    private readonly users: UserDirectory,
    private readonly parents: ParentDirectory,
  ) {}

  @Handles(getIssue)
  async get({ project, caller }: ContextOf<typeof getIssue>, input: ParsedOf<typeof getIssue>) {
    return this.views.viewOne(await this.issues.getToShow(project, input.issue_iid, caller), project, caller);
  }

  @Handles(getIssueById)
  async getById({ caller }: ContextOf<typeof getIssueById>, { id }: ParsedOf<typeof getIssueById>) {
    const issue = await this.issues.getById(id);
    const project = (await this.parents.findProjects([issue.projectId])).get(issue.projectId);
    if (!project) throw issueErrors.notFound();
    return this.views.viewOne(issue, project, caller);
  }

  @Handles(getIssueUserAgent)
  async userAgent({ project, caller }: ContextOf<typeof getIssueUserAgent>, input: ParsedOf<typeof getIssueUserAgent>) {
    if (!caller.isAdmin) throw forbidden();
    return viewUserAgent((await this.issues.get(project, input.issue_iid, caller)).userAgent);
  }

  @Handles(subscribeToIssue)
  async subscribe(context: ContextOf<typeof subscribeToIssue>, input: ParsedOf<typeof subscribeToIssue>) {
    return this.setSubscription(context, input.issue_iid, true);
  }

  @Handles(unsubscribeFromIssue)
  async unsubscribe(context: ContextOf<typeof unsubscribeFromIssue>, input: ParsedOf<typeof unsubscribeFromIssue>) {
    return this.setSubscription(context, input.issue_iid, false);
  }

  private async setSubscription({ project, caller }: ContextOf<typeof subscribeToIssue>, iid: number, wanted: boolean) {
    const issue = await this.issues.get(project, iid, caller);
    if (isSubscribed(issue, caller.id) === wanted) {
      return new Reply(await this.views.viewOne(issue, project, caller), { status: 304 });
    }
    const change = subscription(issue, caller.id, wanted);
    const changed = await this.issues.model.findByIdAndUpdate(issue._id, change, { returnDocument: 'after' }).lean();
    if (!changed) throw commonErrors.notFound();
    return new Reply(await this.views.viewOne(changed, project, caller));
  }

  @Handles(listIssueParticipants)
  async participants(
    { project, caller }: ContextOf<typeof listIssueParticipants>,
    input: ParsedOf<typeof listIssueParticipants>,
  ) {
    const issue = await this.issues.get(project, input.issue_iid, caller);
    const { items, total } = pageOf(participantsOf(issue), input);
    const users = await this.users.summaries(items);
    return { items: items.flatMap((id) => users.get(id) ?? []), total };
  }
}
