import { randomUUID } from 'node:crypto';
import {
  type ContextOf,
  deleteRegistryTag,
  type ParsedOf,
  rankOf,
  registryErrors,
  registryProtectionErrors,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller, Logger } from '@nestjs/common';
import { ProtectionRules } from '../../protection/protection-rules';
import { RegistryClient } from '../../registry-client/registry-client';
import { ContainerRepositories } from '../../repository/container-repository.repository';
import { KnownTag } from '../known-tag';
import { RemoveTags } from '../remove-tags';
import { Tags } from '../tag.repository';

@Controller()
export class DeleteTag {
  private readonly log = new Logger(DeleteTag.name);

  constructor(
    private readonly client: RegistryClient,
    private readonly repositories: ContainerRepositories,
    private readonly protection: ProtectionRules,
    private readonly tags: Tags,
    private readonly known: KnownTag,
    private readonly removeTags: RemoveTags,
  ) {}

  @Handles(deleteRegistryTag)
  async handle({ project, caller }: ContextOf<typeof deleteRegistryTag>, input: ParsedOf<typeof deleteRegistryTag>) {
    this.client.requireSetUp();
    const repository = await this.repositories.get(project.id, input.repository_id);
    const tag = await this.known.find(repository, input.tag_name);
    if (!tag) throw registryErrors.tagNotFound();
    const { _id, path, reconciledAt } = repository;
    if ((await this.protection.of(project.id)).keptTags(path, rankOf(project, caller))(tag.name))
      throw registryProtectionErrors.deletionRefused();
    // After an interruption, the periodic job completes the removal.
    await this.repositories.noteReconciled(_id, null);
    await this.tags.forget(_id, tag.name, new Date());
    await this.removeTags.remove(path, [{ name: tag.name }], randomUUID());
    // The tag is deleted: if this fails, the periodic job reconciles the repository.
    const noted = this.repositories.noteReconciled(_id, reconciledAt);
    await noted.catch((error: unknown) => this.log.warn(`${path} will be checked again: ${error}`));
    return { message: '200 OK' };
  }
}
