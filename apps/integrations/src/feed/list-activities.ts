import {
  Access,
  type Caller,
  type ContextOf,
  callerInput,
  listOwnEvents,
  listProjectEvents,
  listUserEvents,
  type ParsedOf,
  readableProjects,
  userErrors,
  userIdsByUsername,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { Activities } from './activity.repository';
import { type ActivityFilters, ActivityList } from './activity-list';

/** Lists of activities: the caller's own, those of a project, and those of another user. */
@Controller()
export class ListActivities {
  constructor(
    private readonly activities: Activities,
    private readonly list: ActivityList,
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
  ) {}

  @Handles(listProjectEvents)
  async listOfProject(
    { project, caller }: ContextOf<typeof listProjectEvents>,
    input: ParsedOf<typeof listProjectEvents>,
  ) {
    return this.list.page({ projectId: project.id }, [project], input, caller);
  }

  @Handles(listOwnEvents)
  async listOwn({ caller }: ContextOf<typeof listOwnEvents>, input: ParsedOf<typeof listOwnEvents>) {
    if (input.scope !== 'all') return this.listOf(caller.id, input, caller);
    const readable = await this.client.call(readableProjects, callerInput(caller));
    const own = readable.filter(({ accessLevel }) => accessLevel > Access.None);
    return this.list.page({ projectId: { $in: own.map(({ id }) => id) } }, own, input, caller);
  }

  @Handles(listUserEvents)
  async listOfUser({ caller }: ContextOf<typeof listUserEvents>, input: ParsedOf<typeof listUserEvents>) {
    return this.listOf(await this.findUser(input.id), input, caller);
  }

  private async listOf(authorId: number, input: ActivityFilters, caller: Caller | undefined) {
    const projects = await this.list.findProjects(await this.activities.projectsOf(authorId), caller);
    return this.list.page({ authorId }, projects, input, caller);
  }

  /** @throws user.not_found */
  private async findUser(reference: string): Promise<number> {
    if (/^\d+$/.test(reference)) return (await this.users.get(Number(reference))).id;
    const [found] = await this.client.call(userIdsByUsername, { usernames: [reference] });
    if (!found) throw userErrors.notFound();
    return found.id;
  }
}
