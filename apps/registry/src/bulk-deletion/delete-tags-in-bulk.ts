import { randomUUID } from 'node:crypto';
import {
  type ContextOf,
  deleteRegistryTags,
  type ParsedOf,
  rankOf,
  registryErrors,
  registryProtectionErrors,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { type GivenRules, readDeletionRules } from '../deletion-plan/deletion-rules';
import { ProtectionRules } from '../protection/protection-rules';
import { RegistryClient } from '../registry-client/registry-client';
import { ContainerRepositories } from '../repository/container-repository.repository';
import { RunBulkDeletion } from './run-bulk-deletion';

const betweenMs = 3_600_000;

@Controller()
export class DeleteTagsInBulk {
  constructor(
    private readonly client: RegistryClient,
    private readonly repositories: ContainerRepositories,
    private readonly protection: ProtectionRules,
    private readonly deletions: RunBulkDeletion,
  ) {}

  @Handles(deleteRegistryTags)
  async handle({ project, caller }: ContextOf<typeof deleteRegistryTags>, input: ParsedOf<typeof deleteRegistryTags>) {
    this.client.requireSetUp();
    const { id: _project, repository_id, ...given } = input;
    const rules: GivenRules = given;
    readDeletionRules(rules);
    const { _id, path } = await this.repositories.get(project.id, repository_id);
    const rank = rankOf(project, caller);
    if ((await this.protection.of(project.id)).refusesDeletionOfAny(path, rank))
      throw registryProtectionErrors.deletionRefused();
    const requestedAt = new Date();
    const deletion = { id: randomUUID(), rules, requestedAt, rank, planId: null };
    const unlessAfter = new Date(requestedAt.getTime() - betweenMs);
    if (!(await this.repositories.beginBulkDeletion(_id, deletion, unlessAfter))) throw registryErrors.deletedLately();
    await this.deletions.queue(_id);
    return { message: '202 Accepted' };
  }
}
