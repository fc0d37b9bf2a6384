import {
  type Caller,
  callerInput,
  type GroupRef,
  isFeatureOpen,
  isReadable,
  listGroupProjects,
  listProjects,
  maxPerPage,
  type Page,
  type ProjectRef,
  projectRefs,
  reaches,
  type searchProjectBlobs,
  type searchProjectCommits,
  type searchProjectWikiBlobs,
  window,
} from '@moothall/contracts';
import { AbandonedRequests, OperationClient } from '@moothall/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { GitError } from '../../git/process/errors';

type InProject = typeof searchProjectBlobs | typeof searchProjectCommits | typeof searchProjectWikiBlobs;

interface Context {
  requestId: string;
  caller: Caller;
  group?: GroupRef | undefined;
}

interface Input {
  search: string;
  page: number;
  per_page: number;
}

const maxProjects = 100;
const atOnce = 4;
/** After this time no further project is searched. */
const patienceMs = 15_000;
/** Limit of results over all pages. */
const maxFound = 1000;

/** Searches many projects in the caller's name, most recently active first. */
@Injectable()
export class SearchEach {
  private readonly log = new Logger(SearchEach.name);

  constructor(
    private readonly client: OperationClient,
    private readonly abandoned: AbandonedRequests,
  ) {}

  /** @throws git.cancelled if the caller disconnected */
  async search<T>(operation: InProject, context: Context, input: Input): Promise<Page<T>> {
    return this.abandoned.during(context.requestId, async (gone) => {
      const { skip, limit } = window(input);
      const wanted = Math.min(skip + limit, maxFound);
      const projects = await this.projects(operation, context);
      const until = performance.now() + patienceMs;
      const found: T[] = [];
      let isAll = true;
      for (let at = 0; at < projects.length && found.length < wanted; at += atOnce) {
        if (performance.now() > until) return { items: found.slice(skip, wanted) };
        const some = projects.slice(at, at + atOnce);
        const answers = await Promise.all(
          some.map((one) => this.ask<T>(operation, context, one, input.search, wanted)),
        );
        if (gone.aborted) throw new GitError('cancelled');
        for (const answer of answers) found.push(...answer.items);
        isAll = isAll && at + atOnce >= projects.length && answers.every((answer) => answer.isAll);
      }
      const total = isAll || projects.length === 0 ? found.length : undefined;
      return { items: found.slice(skip, wanted), total };
    });
  }

  /** A project that does not answer is skipped; its results are missing then. */
  private async ask<T>(
    operation: InProject,
    { requestId, caller }: Context,
    project: ProjectRef,
    search: string,
    wanted: number,
  ): Promise<{ items: T[]; isAll: boolean }> {
    const items: T[] = [];
    try {
      for (let page = 1; items.length < wanted; page += 1) {
        const input = { id: String(project.id), scope: operation.input.shape.scope.value, search, page };
        const context = { requestId, caller, project };
        const answer = await this.client.call(operation, { ...input, per_page: maxPerPage }, context);
        items.push(...(answer.items as T[]));
        if (answer.items.length < maxPerPage) return { items, isAll: true };
      }
    } catch (error) {
      this.log.warn(`${operation.name} in project ${project.id}: ${error}`);
    }
    return { items, isAll: false };
  }

  private async projects({ access }: InProject, { requestId, caller, group }: Context): Promise<ProjectRef[]> {
    const latest = { order_by: 'last_activity_at', archived: false, simple: true, per_page: maxProjects } as const;
    const context = { requestId, caller, group };
    const { items } = group
      ? await this.client.call(
          listGroupProjects,
          { id: String(group.id), ...latest, include_subgroups: true, with_shared: false },
          context,
        )
      : await this.client.call(listProjects, latest, context);
    const ids = items.map(({ id }) => id);
    const refs: ProjectRef[] = await this.client.call(projectRefs, { ids, ...callerInput(caller) });
    const place = new Map(ids.map((id, index) => [id, index]));
    const open = refs.filter((project) => mayAsk(access, project, caller));
    return open.sort((one, other) => (place.get(one.id) ?? 0) - (place.get(other.id) ?? 0));
  }
}

/** The same decision as the gateway makes for one project. */
function mayAsk(
  { feature, levelInPrivate, ability }: InProject['access'],
  project: ProjectRef,
  caller: Caller,
): boolean {
  const isOpen = [feature ?? []].flat().every((one) => isFeatureOpen(project, one));
  const level = project.visibility === 'private' ? levelInPrivate : 0;
  return isReadable(project, caller) && isOpen && reaches(project, level, ability);
}
