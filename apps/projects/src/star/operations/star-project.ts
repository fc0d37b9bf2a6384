import {
  type Caller,
  type ContextOf,
  listStarrers,
  type ParsedOf,
  type Project,
  Reply,
  starProject,
  unstarProject,
} from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { Projects } from '../../project/project.repository';
import { ProjectViews } from '../../project/project.view';
import { StoredCounts } from '../../project/stored-counts';
import { Stars } from '../star.repository';
import type { StarDocument } from '../star.schema';

/** The answer if the star exists already, or does not exist. */
const notModified = 304;

@Controller()
export class StarProject {
  constructor(
    private readonly stars: Stars,
    private readonly counts: StoredCounts,
    private readonly projects: Projects,
    private readonly views: ProjectViews,
    private readonly users: UserDirectory,
  ) {}

  @Handles(starProject)
  async star({ project, caller }: ContextOf<typeof starProject>, _: ParsedOf<typeof starProject>) {
    return this.change(project.id, caller, () => this.stars.add(project.id, caller.id));
  }

  @Handles(unstarProject)
  async unstar({ project, caller }: ContextOf<typeof unstarProject>, _: ParsedOf<typeof unstarProject>) {
    return this.change(project.id, caller, () => this.stars.remove(project.id, caller.id));
  }

  @Handles(listStarrers)
  async list({ project }: ContextOf<typeof listStarrers>, input: ParsedOf<typeof listStarrers>) {
    const named = input.search ? { userId: { $in: await this.starrersNamed(project.id, input.search) } } : {};
    const page = await findPage(this.stars.model, { projectId: project.id, ...named }, { userId: 1 }, input);
    const users = await this.users.summaries(page.items.map(({ userId }) => userId));
    const view = ({ userId, starredAt }: StarDocument) => {
      const user = users.get(userId);
      return user ? [{ starred_since: starredAt.toISOString(), user }] : [];
    };
    return { ...page, items: page.items.flatMap(view) };
  }

  private async starrersNamed(projectId: number, search: string): Promise<number[]> {
    const ids = await this.stars.model.distinct('userId', { projectId });
    const users = [...(await this.users.summaries(ids)).values()];
    const wanted = search.toLowerCase();
    return users
      .filter(({ name, username }) => [name, username].some((text) => text.toLowerCase().includes(wanted)))
      .map(({ id }) => id);
  }

  private async change(
    projectId: number,
    caller: Caller,
    change: () => Promise<boolean>,
  ): Promise<Project | Reply<Project>> {
    const isChanged = await this.counts.whileChanging(projectId, 'starCount', change);
    const view = await this.views.one(await this.projects.get(projectId), caller);
    return isChanged ? view : new Reply(view, { status: notModified });
  }
}
