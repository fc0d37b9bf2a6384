import {
  Access,
  addEpicIssue,
  type Caller,
  type ContextOf,
  callerInput,
  type EpicIssue,
  type EpicIssueLink,
  epicErrors,
  forbidden,
  type GroupRef,
  listEpicIssues,
  moveEpicIssue,
  type Page,
  type ParsedOf,
  projectRefs,
  removeEpicIssue,
} from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Epics } from '../epic/epic.repository';
import type { EpicDocument } from '../epic/epic.schema';
import { EpicViews } from '../epic/epic-views';
import { reorder } from '../epic/reorder';
import { ChangeIssuable } from '../issuable/change-issuable';
import type { IssuablePatch } from '../issuable/plan-change';
import { Issues } from './issue.repository';
import type { IssueDocument } from './issue.schema';
import { IssueKind } from './issue-kind';
import { IssueScope } from './issue-scope';
import { IssueViews } from './issue-views';
import { isHiddenFrom } from './visible-issues';

/** The issues of an epic and their order. The link has the id of the issue. */
@Controller()
export class EpicIssues {
  constructor(
    private readonly epics: Epics,
    private readonly issues: Issues,
    private readonly scope: IssueScope,
    private readonly kind: IssueKind,
    private readonly changes: ChangeIssuable,
    private readonly issueViews: IssueViews,
    private readonly epicViews: EpicViews,
    private readonly client: OperationClient,
  ) {}

  @Handles(listEpicIssues)
  async list({ group, caller }: ContextOf<typeof listEpicIssues>, input: ParsedOf<typeof listEpicIssues>) {
    return this.page(await this.epics.get(group, input.epic_iid, caller), group, caller, input);
  }

  @Handles(addEpicIssue)
  async add({ group, caller }: ContextOf<typeof addEpicIssue>, input: ParsedOf<typeof addEpicIssue>) {
    const epic = await this.epics.get(group, input.epic_iid, caller);
    const issue = await this.findIssueBelow(group, input.issue_id, caller);
    const last = await this.issues.model
      .findOne({ epicId: epic._id }, { epicPosition: 1 })
      .sort({ epicPosition: -1, _id: -1 })
      .lean<IssueDocument>();
    const place = { epicId: epic._id, epicPosition: (last?.epicPosition ?? 0) + 1 };
    const changed = await this.changes.change(this.kind, issue, () => ({ silent: place }), { userId: caller.id });
    return this.viewLink(changed, epic, place.epicPosition);
  }

  @Handles(removeEpicIssue)
  async remove({ group, caller }: ContextOf<typeof removeEpicIssue>, input: ParsedOf<typeof removeEpicIssue>) {
    const epic = await this.epics.get(group, input.epic_iid, caller);
    const issue = await this.findIssueBelow(group, input.epic_issue_id, caller);
    if (issue.epicId !== epic._id) throw epicErrors.issueNotFound();
    // A concurrent request may have moved it into another epic.
    const patchOf = ({ epicId }: IssueDocument): IssuablePatch =>
      epicId === epic._id ? { silent: { epicId: null, epicPosition: null } } : {};
    const changed = await this.changes.change(this.kind, issue, patchOf, { userId: caller.id });
    return this.viewLink(changed, epic, issue.epicPosition ?? 0);
  }

  @Handles(moveEpicIssue)
  async move({ group, caller }: ContextOf<typeof moveEpicIssue>, input: ParsedOf<typeof moveEpicIssue>) {
    const epic = await this.epics.get(group, input.epic_iid, caller);
    const inOrder = await this.issues.model
      .find({ epicId: epic._id }, { epicPosition: 1 })
      .sort({ epicPosition: 1, _id: 1 })
      .lean<IssueDocument[]>();
    const move = { ...input, id: input.epic_issue_id };
    await reorder(this.issues.model, inOrder, 'epicPosition', move, { epicId: epic._id }, epicErrors.issueNotFound);
    return this.page(epic, group, caller, { page: 1, per_page: 100 });
  }

  private async page(
    epic: EpicDocument,
    group: GroupRef,
    caller: Caller | undefined,
    input: { page: number; per_page: number },
  ): Promise<Page<EpicIssue>> {
    const visible = await this.scope.narrowToGroup(group, caller, { scope: 'all' }, true);
    const order = { epicPosition: 1, _id: 1 } as const;
    const page = await findPage(this.issues.model, { ...visible, epicId: epic._id }, order, input);
    const positions = new Map(page.items.map(({ _id, epicPosition }) => [_id, epicPosition]));
    const views = await this.issueViews.view(page.items);
    return {
      ...page,
      items: views.map((view) => ({
        ...view,
        epic_issue_id: view.id,
        relative_position: positions.get(view.id) ?? 0,
      })),
    };
  }

  /** An issue below the group that the caller may change. @throws epic.issue_not_found; common.forbidden */
  private async findIssueBelow(group: GroupRef, id: number, caller: Caller): Promise<IssueDocument> {
    const issue = await this.issues.model.findById(id).lean<IssueDocument>();
    if (!issue) throw epicErrors.issueNotFound();
    const [project] = await this.client.call(projectRefs, { ids: [issue.projectId], ...callerInput(caller) });
    const isHere = project?.groupIds.includes(group.id) && !isHiddenFrom(issue, caller, project.accessLevel);
    if (!project || !isHere) throw epicErrors.issueNotFound();
    if (project.accessLevel < Access.Reporter) throw forbidden();
    return issue;
  }

  private async viewLink(issue: IssueDocument, epic: EpicDocument, position: number): Promise<EpicIssueLink> {
    const [[view], epicView] = await Promise.all([this.issueViews.view([issue]), this.epicViews.viewOne(epic)]);
    if (!view) throw epicErrors.issueNotFound();
    return { id: issue._id, epic: epicView, issue: view, relative_position: position };
  }
}
