import {
  type Caller,
  type Issue,
  type IssueCard,
  type Iteration,
  type Milestone,
  only,
  type ProjectRef,
  type UserSummary,
} from '@moothall/contracts';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { UserDirectory } from '@moothall/users';
import { Inject, Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { EpicDocument } from '../epic/epic.schema';
import { isSubscribed } from '../issuable/issuable';
import { Iterations } from '../iteration/iteration.repository';
import { IterationViews } from '../iteration/iteration-views';
import { Labels } from '../label/label.repository';
import type { LabelDocument } from '../label/label.schema';
import { MilestoneViews } from '../milestone/milestone-views';
import { ParentDirectory } from '../parent/parent-directory';
import { Urls } from '../parent/urls';
import { BlockedIssues } from './blocked-issues';
import type { IssueDocument } from './issue.schema';
import { viewIssue } from './issue.view';

/** Records that issues refer to, by id. */
export interface IssueReferences {
  projects: ReadonlyMap<number, ProjectRef>;
  users: ReadonlyMap<number, UserSummary>;
  labels: ReadonlyMap<number, LabelDocument>;
  milestones: ReadonlyMap<number, Milestone>;
  iterations: ReadonlyMap<number, Iteration>;
  epics: ReadonlyMap<number, EpicDocument>;
  epicGroupPaths: ReadonlyMap<number, string>;
  /** How many open issues each one blocks. */
  blocked: ReadonlyMap<number, number>;
}

type CardDocument = Pick<IssueDocument, 'iid' | 'title' | 'projectId'>;

export interface IssueViewOptions {
  withLabelDetails?: boolean | undefined;
  /** Shows whether this caller is subscribed; in answers about a single issue. */
  subscriber?: Caller | undefined;
}

/** Shows issues. It reads all referenced records in one batch per kind. */
@Injectable()
export class IssueViews {
  private readonly hasTiers: boolean;

  constructor(
    private readonly users: UserDirectory,
    private readonly labels: Labels,
    @InjectModel('Epic') private readonly epics: Model<EpicDocument>,
    private readonly blocked: BlockedIssues,
    private readonly milestoneViews: MilestoneViews,
    private readonly iterations: Iterations,
    private readonly iterationViews: IterationViews,
    private readonly parents: ParentDirectory,
    private readonly urls: Urls,
    @Inject(settingsToken) settings: ServiceSettings,
  ) {
    this.hasTiers = settings.EDITION === 'enterprise';
  }

  /** @param project the project of all issues, if known */
  async view(issues: IssueDocument[], project?: ProjectRef, options: IssueViewOptions = {}): Promise<Issue[]> {
    const references = await this.collect(issues, project);
    return issues.flatMap((issue) => {
      const home = references.projects.get(issue.projectId);
      // Its project was deleted; the issue will be removed soon.
      if (!home) return [];
      const view = viewIssue(issue, home, references, this.urls, {
        withLabelDetails: options.withLabelDetails ?? false,
        hasTiers: this.hasTiers,
      });
      const { subscriber } = options;
      return [subscriber ? { ...view, subscribed: isSubscribed(issue, subscriber.id) } : view];
    });
  }

  /** Shows a single issue. */
  async viewOne(issue: IssueDocument, project: ProjectRef, subscriber?: Caller): Promise<Issue> {
    return only(await this.view([issue], project, { subscriber }));
  }

  /** @param project the project of all issues, if known */
  async viewCards(issues: CardDocument[], project?: ProjectRef): Promise<IssueCard[]> {
    const projects = await this.projectsOf(issues, project);
    return issues.flatMap(({ iid, title, projectId }) => {
      const home = projects.get(projectId);
      return home ? [{ iid, title, web_url: this.urls.issue(home, iid) }] : [];
    });
  }

  private async projectsOf(issues: CardDocument[], project?: ProjectRef): Promise<ReadonlyMap<number, ProjectRef>> {
    if (project) return new Map([[project.id, project]]);
    return this.parents.findProjects(issues.map(({ projectId }) => projectId));
  }

  private async collect(issues: IssueDocument[], project?: ProjectRef): Promise<IssueReferences> {
    const people = issues.flatMap(({ authorId, assigneeIds, closedById }) => [authorId, ...assigneeIds, closedById]);
    const [projects, users, labels, milestones, iterations, epics, blocked] = await Promise.all([
      this.projectsOf(issues, project),
      this.users.summaries(present(people)),
      this.labels.findByIds(issues.flatMap(({ labelIds }) => labelIds)),
      this.milestoneViews.byId(present(issues.map(({ milestoneId }) => milestoneId))),
      this.findIterations(issues),
      this.findEpics(issues),
      this.blocked.count(issues.map(({ _id }) => _id)),
    ]);
    return { projects, users, labels, milestones, iterations, ...epics, blocked };
  }

  private async findIterations(issues: IssueDocument[]): Promise<Map<number, Iteration>> {
    const ids = this.hasTiers ? present(issues.map(({ iterationId }) => iterationId ?? null)) : [];
    if (ids.length === 0) return new Map();
    const views = await this.iterationViews.view(await this.iterations.findByIds(ids));
    return new Map(views.map((view) => [view.id, view]));
  }

  private async findEpics(issues: IssueDocument[]): Promise<Pick<IssueReferences, 'epics' | 'epicGroupPaths'>> {
    const ids = this.hasTiers ? present(issues.map(({ epicId }) => epicId)) : [];
    if (ids.length === 0) return { epics: new Map(), epicGroupPaths: new Map() };
    const found = await this.epics.find({ _id: { $in: ids } }).lean<EpicDocument[]>();
    const groups = await this.parents.findGroups(found.map(({ groupId }) => groupId));
    return {
      epics: new Map(found.map((epic) => [epic._id, epic])),
      epicGroupPaths: new Map([...groups].map(([id, { fullPath }]) => [id, fullPath])),
    };
  }
}

const present = (ids: (number | null)[]): number[] => [...new Set(ids.filter((id) => id !== null))];
