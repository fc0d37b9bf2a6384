import {
  type ContextOf,
  getLanguages,
  listProjectUsers,
  type ParsedOf,
  pageOf,
  repositoryLanguages,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { Grants } from '../../access/grants';
import { chainOf, projectSource } from '../../member/source';

/** Contributors and languages of a project. */
@Controller()
export class ProjectFacts {
  constructor(
    private readonly grants: Grants,
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
  ) {}

  @Handles(listProjectUsers)
  async listUsers({ project }: ContextOf<typeof listProjectUsers>, input: ParsedOf<typeof listProjectUsers>) {
    const levels = await this.grants.findLevelsOfUsers(chainOf(projectSource(project)));
    const ids = [...levels.keys(), ...(project.ownerId === undefined ? [] : [project.ownerId])];
    const skipped = new Set(input.skip_users);
    const users = [...(await this.users.summaries(ids)).values()].filter(({ id }) => !skipped.has(id));
    const wanted = (input.search ?? '').toLowerCase();
    const found = users.filter(({ name, username }) =>
      [name, username].some((text) => text.toLowerCase().includes(wanted)),
    );
    return pageOf(
      found.sort((one, other) => one.id - other.id),
      input,
    );
  }

  @Handles(getLanguages)
  async languages({ project, requestId }: ContextOf<typeof getLanguages>, _: ParsedOf<typeof getLanguages>) {
    return this.client.call(repositoryLanguages, { project_id: project.id }, { project, requestId });
  }
}
