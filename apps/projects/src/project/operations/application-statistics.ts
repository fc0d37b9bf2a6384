import {
  type ContextOf,
  countIdentityRecords,
  countTalkRecords,
  getApplicationStatistics,
  type ParsedOf,
  type ResultOf,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Namespaces } from '../../namespace/namespace.repository';
import { Projects } from '../project.repository';

const written = new Intl.NumberFormat('en-US');

/** Statistics of the instance, counted by the services. See docs/api/instance.md#6. */
@Controller()
export class ApplicationStatistics {
  constructor(
    private readonly projects: Projects,
    private readonly namespaces: Namespaces,
    private readonly client: OperationClient,
  ) {}

  @Handles(getApplicationStatistics)
  async get(
    _: ContextOf<typeof getApplicationStatistics>,
    __: ParsedOf<typeof getApplicationStatistics>,
  ): Promise<ResultOf<typeof getApplicationStatistics>> {
    const [people, talk, projects, forks, groups] = await Promise.all([
      this.client.call(countIdentityRecords, {}),
      this.client.call(countTalkRecords, {}),
      this.projects.model.estimatedDocumentCount(),
      this.projects.model.countDocuments({ forkedFromId: { $exists: true } }),
      this.namespaces.model.countDocuments({ kind: 'group', isDeleting: false }),
    ]);
    const of = (count: number): string => written.format(count);
    return {
      forks: of(forks),
      issues: of(talk.issues),
      merge_requests: of(talk.merge_requests),
      notes: of(talk.notes),
      snippets: of(talk.snippets),
      ssh_keys: of(people.ssh_keys),
      milestones: of(talk.milestones),
      users: of(people.users),
      projects: of(projects),
      groups: of(groups),
      active_users: of(people.active_users),
    };
  }
}
