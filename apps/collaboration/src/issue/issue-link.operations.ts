import {
  Access,
  type Caller,
  type ContextOf,
  callerInput,
  createIssueLink,
  deleteIssueLink,
  forbidden,
  getIssueLink,
  type IssueLink,
  isError,
  isFeatureOpen,
  isReadable,
  issueLinkErrors,
  type LinkedIssue,
  listIssueLinks,
  type Page,
  type ParsedOf,
  type ProjectRef,
  pageOf,
  projectErrors,
  projectRefs,
  resolveProject,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { IssueLinks } from '../issue-link/issue-link.repository';
import { directed, type LinkDocument, linkFields, otherEnd } from '../issue-link/link.schema';
import { requireWritable } from '../parent/require-writable';
import { Issues } from './issue.repository';
import type { IssueDocument } from './issue.schema';
import { IssueScope, mergeConditions } from './issue-scope';
import { IssueViews } from './issue-views';
import { isHiddenFrom } from './visible-issues';

/** Links between issues, also of two projects. A user who sees only one end does not see the other. See docs/api/issues.md#5. */
@Controller()
export class IssueLinkOperations {
  constructor(
    private readonly links: IssueLinks,
    private readonly issues: Issues,
    private readonly scope: IssueScope,
    private readonly views: IssueViews,
    private readonly client: OperationClient,
  ) {}

  @Handles(listIssueLinks)
  async list(
    { project, caller }: ContextOf<typeof listIssueLinks>,
    input: ParsedOf<typeof listIssueLinks>,
  ): Promise<Page<LinkedIssue>> {
    const { _id } = await this.issues.get(project, input.issue_iid, caller);
    const links = await this.links.listFor(_id);
    const seen = await this.findSeen(
      caller,
      links.map((link) => otherEnd(link, _id)),
    );
    const visible = links.filter((link) => seen.has(otherEnd(link, _id)));
    const { items, total } = pageOf(visible, input);
    const views = await this.views.view(items.flatMap((link) => seen.get(otherEnd(link, _id)) ?? []));
    const viewOf = new Map(views.map((view) => [view.id, view]));
    const shown = items.flatMap((link) => {
      const view = viewOf.get(otherEnd(link, _id));
      return view ? [{ ...view, issue_link_id: link._id, ...linkFields(link, _id) }] : [];
    });
    return { items: shown, total };
  }

  @Handles(getIssueLink)
  async get({ project, caller }: ContextOf<typeof getIssueLink>, input: ParsedOf<typeof getIssueLink>) {
    const issue = await this.issues.get(project, input.issue_iid, caller);
    const link = await this.links.get(issue._id, input.issue_link_id);
    return this.view(link, issue, await this.findOtherEnd(link, issue, caller));
  }

  @Handles(createIssueLink)
  async create({ project, caller }: ContextOf<typeof createIssueLink>, input: ParsedOf<typeof createIssueLink>) {
    requireWritable(project);
    const issue = await this.issues.get(project, input.issue_iid, caller);
    const target = await this.findTarget(input, caller);
    if (target._id === issue._id) throw issueLinkErrors.itself();
    return this.view(await this.links.add(directed(issue._id, target._id, input.link_type)), issue, target);
  }

  @Handles(deleteIssueLink)
  async remove({ project, caller }: ContextOf<typeof deleteIssueLink>, input: ParsedOf<typeof deleteIssueLink>) {
    requireWritable(project);
    const issue = await this.issues.get(project, input.issue_iid, caller);
    const link = await this.links.get(issue._id, input.issue_link_id);
    const other = await this.findOtherEnd(link, issue, caller);
    await this.requireReporterOf(other, caller);
    const view = await this.view(link, issue, other);
    await this.links.remove(link._id);
    return view;
  }

  /** Issues by id that the caller may see. */
  private async findSeen(caller: Caller | undefined, ids: number[]): Promise<Map<number, IssueDocument>> {
    if (ids.length === 0) return new Map();
    const visible = await this.scope.narrowToReadable(caller, { scope: 'all' }, true);
    const found = await this.issues.model
      .find(mergeConditions([visible, { _id: { $in: ids } }]))
      .lean<IssueDocument[]>();
    return new Map(found.map((issue) => [issue._id, issue]));
  }

  /** @throws issue_link.not_found */
  private async findOtherEnd(link: LinkDocument, { _id }: IssueDocument, caller: Caller | undefined) {
    const id = otherEnd(link, _id);
    const other = (await this.findSeen(caller, [id])).get(id);
    if (!other) throw issueLinkErrors.notFound();
    return other;
  }

  /** @throws issue_link.no_target; project.archived */
  private async findTarget(input: ParsedOf<typeof createIssueLink>, caller: Caller): Promise<IssueDocument> {
    const project = await this.findProject(input.target_project_id, caller);
    const isOpen = project && isReadable(project, caller) && isFeatureOpen(project, 'issues');
    if (!isOpen || project.accessLevel < Access.Reporter) throw issueLinkErrors.noTarget();
    const key = { projectId: project.id, iid: input.target_issue_iid };
    const issue = await this.issues.model.findOne(key).lean<IssueDocument>();
    if (!issue || isHiddenFrom(issue, caller, project.accessLevel)) throw issueLinkErrors.noTarget();
    requireWritable(project);
    return issue;
  }

  private async findProject(project: string, caller: Caller): Promise<ProjectRef | undefined> {
    return this.client.call(resolveProject, { project, ...callerInput(caller) }).then(
      (found) => found.project,
      (error: unknown) => {
        if (isError(error, projectErrors.notFound)) return undefined;
        throw error;
      },
    );
  }

  /** @throws common.forbidden; project.archived */
  private async requireReporterOf({ projectId }: IssueDocument, caller: Caller): Promise<void> {
    const [project] = await this.client.call(projectRefs, { ids: [projectId], ...callerInput(caller) });
    if (!project || project.accessLevel < Access.Reporter) throw forbidden();
    requireWritable(project);
  }

  private async view(link: LinkDocument, one: IssueDocument, other: IssueDocument): Promise<IssueLink> {
    const [source, target] = link.sourceId === one._id ? [one, other] : [other, one];
    const [sourceView, targetView] = await this.views.view([source, target]);
    // The project of one end was deleted meanwhile, and the link with it.
    if (!sourceView || !targetView) throw issueLinkErrors.notFound();
    return { id: link._id, source_issue: sourceView, target_issue: targetView, link_type: link.type };
  }
}
