import {
  type AccessRequest,
  type ContextOf,
  listGroupAccessRequests,
  listProjectAccessRequests,
  type Page,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { groupKey, projectKey, type SourceKey } from '../member/source';
import { AccessRequests } from './access-request.repository';
import { viewAccessRequest } from './access-request.view';

@Controller()
export class ListAccessRequests {
  constructor(
    private readonly requests: AccessRequests,
    private readonly users: UserDirectory,
  ) {}

  @Handles(listProjectAccessRequests)
  async listOfProject(
    { project }: ContextOf<typeof listProjectAccessRequests>,
    input: ParsedOf<typeof listProjectAccessRequests>,
  ) {
    return this.list(projectKey(project.id), input);
  }

  @Handles(listGroupAccessRequests)
  async listOfGroup(
    { group }: ContextOf<typeof listGroupAccessRequests>,
    input: ParsedOf<typeof listGroupAccessRequests>,
  ) {
    return this.list(groupKey(group.id), input);
  }

  private async list(source: SourceKey, input: { page: number; per_page: number }): Promise<Page<AccessRequest>> {
    const page = await this.requests.page(source, input);
    const users = await this.users.records(page.items.map(({ userId }) => userId));
    const items = page.items.flatMap((request) => {
      const user = users.get(request.userId);
      return user ? [viewAccessRequest(request, user)] : [];
    });
    return { ...page, items };
  }
}
