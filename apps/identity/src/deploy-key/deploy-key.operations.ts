import {
  type ContextOf,
  getProjectDeployKey,
  listDeployKeys,
  listProjectDeployKeys,
  type ParsedOf,
  type ResultOf,
  removeProjectDeployKey,
  updateProjectDeployKey,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { keyProblems, SshKeys } from '../ssh-key/ssh-key.repository';
import { DeployKeys } from './deploy-key.repository';
import { viewDeployKey, viewProjectDeployKey } from './deploy-key.view';
import { refuseKey } from './refused-key';

@Controller()
export class DeployKeyOperations {
  constructor(
    private readonly keys: SshKeys,
    private readonly deployKeys: DeployKeys,
  ) {}

  @Handles(listDeployKeys)
  async listAll(
    _context: ContextOf<typeof listDeployKeys>,
    input: ParsedOf<typeof listDeployKeys>,
  ): Promise<ResultOf<typeof listDeployKeys>> {
    const filter = { kind: 'deploy' as const, ...(input.public && { isPublic: true }) };
    const { items, total } = await this.keys.page(filter, input);
    return { items: items.map(viewDeployKey), total };
  }

  @Handles(listProjectDeployKeys)
  async list(
    { project }: ContextOf<typeof listProjectDeployKeys>,
    input: ParsedOf<typeof listProjectDeployKeys>,
  ): Promise<ResultOf<typeof listProjectDeployKeys>> {
    const { items, total } = await this.keys.page({ 'enablements.projectId': project.id }, input);
    return { items: items.map((key) => viewProjectDeployKey(key, project.id)), total };
  }

  @Handles(getProjectDeployKey)
  async get(
    { project }: ContextOf<typeof getProjectDeployKey>,
    { key_id }: ParsedOf<typeof getProjectDeployKey>,
  ): Promise<ResultOf<typeof getProjectDeployKey>> {
    return viewProjectDeployKey(await this.deployKeys.getOfProject(project.id, key_id), project.id);
  }

  @Handles(updateProjectDeployKey)
  async update(
    { project, caller }: ContextOf<typeof updateProjectDeployKey>,
    { key_id, title, can_push }: ParsedOf<typeof updateProjectDeployKey>,
  ): Promise<ResultOf<typeof updateProjectDeployKey>> {
    const key = await this.deployKeys.getOfProject(project.id, key_id);
    if (title !== undefined) refuseKey(keyProblems({ title, expiresAt: null }));
    // Other projects would see the new title, too.
    const mayRename = caller.isAdmin || (key.enablements.length === 1 && !key.isPublic);
    const changes = { title: mayRename ? title : undefined, canPush: can_push };
    return viewProjectDeployKey(await this.deployKeys.change(key._id, project.id, changes), project.id);
  }

  @Handles(removeProjectDeployKey)
  async remove(
    { project }: ContextOf<typeof removeProjectDeployKey>,
    { key_id }: ParsedOf<typeof removeProjectDeployKey>,
  ): Promise<void> {
    await this.deployKeys.disable((await this.deployKeys.getOfProject(project.id, key_id))._id, project.id);
  }
}
