import {
  type Caller,
  callerInput,
  getCommit,
  isError,
  isFeatureOpen,
  isReadable,
  OperationError,
  type ProjectRef,
  planning,
  projectErrors,
  resolveProject,
  userIdsByUsername,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { IssueDocument } from '../../issue/issue.schema';
import { isHiddenFrom } from '../../issue/visible-issues';
import { Labels } from '../../label/label.repository';
import type { MergeRequestDocument } from '../../merge-request/record/merge-request.schema';
import { ownersForProject } from '../../parent/owner';
import { readsCode, readsMergeRequests } from '../../parent/reads-code';
import { Urls } from '../../parent/urls';
import type { Target } from '../linked-references';
import type { Reference } from '../references-in';

/** The reader of a text, and its project. */
export interface Reader {
  requestId: string;
  caller: Caller | undefined;
  project: ProjectRef | undefined;
}

/** Limit of other projects, and of commits, that are looked up for the texts of a request. */
const mostLookups = 50;

/** Resolves references as their reader may see them; hidden records look like missing ones. */
@Injectable()
export class FindTargets {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    @InjectModel('MergeRequest') private readonly mergeRequests: Model<MergeRequestDocument>,
    private readonly labels: Labels,
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
    private readonly urls: Urls,
  ) {}

  /** In the order of the references. */
  async all(references: readonly Reference[], reader: Reader): Promise<(Target | undefined)[]> {
    const [projects, users, labels] = await Promise.all([
      this.findProjects(references, reader),
      this.findUsers(references, reader),
      this.findLabels(references, reader),
    ]);
    const projectOf = ({ project: path }: Reference) => (path === null ? reader.project : projects.get(path));
    const numbered = await this.findNumbered(references, projectOf, reader);
    const commits = references.filter(({ kind }) => kind === 'commit').slice(0, mostLookups);
    return Promise.all(
      references.map((reference) => {
        const { kind, name } = reference;
        if (kind === 'user') return users.get(name.toLowerCase());
        if (kind === 'label') return labels.get(name);
        if (kind !== 'commit') return numbered.get(reference);
        const project = projectOf(reference);
        return project && commits.includes(reference) ? this.commit(name, project, reader) : undefined;
      }),
    );
  }

  private async findProjects(references: readonly Reference[], { caller, project }: Reader) {
    const namespace = project?.fullPath.split('/').slice(0, -1) ?? [];
    const paths = [...new Set(references.flatMap(({ project: path }) => path ?? []))].slice(0, mostLookups);
    const found = await Promise.all(
      paths.map(async (path) => {
        const full = path.includes('/') ? path : [...namespace, path].join('/');
        return [path, full.includes('/') ? await this.findProject(full, caller) : undefined] as const;
      }),
    );
    return new Map(found);
  }

  /** @returns undefined if the caller may not read it */
  async findProject(path: string, caller: Caller | undefined): Promise<ProjectRef | undefined> {
    const asked = { project: path, ...callerInput(caller) };
    const found = await this.client.call(resolveProject, asked).catch((error: unknown) => {
      if (isError(error, projectErrors.notFound)) return undefined;
      throw error;
    });
    return found && isReadable(found.project, caller) ? found.project : undefined;
  }

  /** Anonymous callers see no users. */
  private async findUsers(references: readonly Reference[], { caller }: Reader): Promise<Map<string, Target>> {
    const usernames = references.flatMap(({ kind, name }) => (kind === 'user' ? [name] : []));
    if (!caller || usernames.length === 0) return new Map();
    const ids = await this.client.call(userIdsByUsername, { usernames });
    const users = await this.users.summaries(ids.map(({ id }) => id));
    return new Map(
      [...users.values()].map(({ username, name, web_url }) => [
        username.toLowerCase(),
        { href: web_url, text: `@${username}`, title: name },
      ]),
    );
  }

  private async findLabels(references: readonly Reference[], { project }: Reader): Promise<Map<string, Target>> {
    const titles = references.flatMap(({ kind, name }) => (kind === 'label' ? [name] : []));
    if (!project || titles.length === 0 || !planning.some((part) => isFeatureOpen(project, part))) return new Map();
    const labels = await this.labels.findNamed(titles, ownersForProject(project));
    return new Map(
      labels.map(({ title, description }) => [
        title,
        {
          href: `${this.urls.project(project)}/-/issues?label_name=${encodeURIComponent(title)}`,
          text: title,
          title: description ?? '',
        },
      ]),
    );
  }

  /** Issues and merge requests, with one query for each kind in each project. */
  private async findNumbered(
    references: readonly Reference[],
    projectOf: (reference: Reference) => ProjectRef | undefined,
    reader: Reader,
  ): Promise<Map<Reference, Target>> {
    const groups = new Map<string, { kind: Reference['kind']; project: ProjectRef; members: Reference[] }>();
    for (const reference of references) {
      const { kind } = reference;
      const project = kind === 'issue' || kind === 'merge_request' ? projectOf(reference) : undefined;
      if (!project) continue;
      const key = `${kind} ${project.id}`;
      const group = groups.get(key) ?? { kind, project, members: [] };
      group.members.push(reference);
      groups.set(key, group);
    }
    const found = await Promise.all(
      [...groups.values()].map(async ({ kind, project, members }) => {
        const iids = members.map(({ name }) => Number(name));
        const targets = await (kind === 'issue'
          ? this.findIssues(iids, project, reader)
          : this.findMergeRequests(iids, project, reader));
        return members.flatMap((member) => {
          const target = targets.get(Number(member.name));
          return target ? [[member, target] as const] : [];
        });
      }),
    );
    return new Map(found.flat());
  }

  private async findIssues(iids: number[], project: ProjectRef, reader: Reader): Promise<Map<number, Target>> {
    if (!isFeatureOpen(project, 'issues')) return new Map();
    const found = await this.issues
      .find({ projectId: project.id, iid: { $in: iids } }, { description: 0 })
      .lean<IssueDocument[]>();
    const shown = found.filter((issue) => !isHiddenFrom(issue, reader.caller, project.accessLevel));
    return new Map(shown.map((issue) => [issue.iid, this.record('issues', '#', issue, project, reader)]));
  }

  private async findMergeRequests(iids: number[], project: ProjectRef, reader: Reader): Promise<Map<number, Target>> {
    if (!isFeatureOpen(project, 'merge_requests') || !readsMergeRequests(project)) return new Map();
    const found = await this.mergeRequests
      .find({ projectId: project.id, iid: { $in: iids } }, { description: 0 })
      .lean<MergeRequestDocument[]>();
    return new Map(found.map((request) => [request.iid, this.record('merge_requests', '!', request, project, reader)]));
  }

  private record(
    pages: string,
    sign: string,
    { iid, title, state }: { iid: number; title: string; state: string },
    project: ProjectRef,
    reader: Reader,
  ): Target {
    const from = reader.project?.id === project.id ? '' : project.fullPath;
    const suffix = state === 'opened' ? '' : ` (${state})`;
    return { href: `${this.urls.project(project)}/-/${pages}/${iid}`, text: `${from}${sign}${iid}${suffix}`, title };
  }

  private async commit(sha: string, project: ProjectRef, { caller, requestId }: Reader): Promise<Target | undefined> {
    if (!isFeatureOpen(project, 'repository') || !readsCode(project)) return undefined;
    const asked = { id: String(project.id), sha, stats: false };
    const found = await this.client.call(getCommit, asked, { requestId, caller, project }).catch((error: unknown) => {
      // No such record, or its service is down: the reference stays text.
      if (error instanceof OperationError) return undefined;
      throw error;
    });
    return (
      found && { href: `${this.urls.project(project)}/-/commit/${found.id}`, text: found.short_id, title: found.title }
    );
  }
}
