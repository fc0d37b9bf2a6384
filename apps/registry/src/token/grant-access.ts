import { type Caller, type ProjectRef, rankOf } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { isImageName } from '../image-name/image-name';
import { ProtectionRules } from '../protection/protection-rules';
import { ContainerRepositories } from '../repository/container-repository.repository';
import type { ContainerRepository } from '../repository/container-repository.schema';
import { claimOf, ImageProjects } from '../repository/image-projects';
import type { GrantedAccess } from '../signing/sign-token';
import { allowedActions, type ImageAction, imageActions } from './allowed-actions';
import type { RequestedScope } from './parse-scopes';

/** Decides which of the requested scopes are granted. */
@Injectable()
export class GrantAccess {
  constructor(
    private readonly projects: ImageProjects,
    private readonly repositories: ContainerRepositories,
    private readonly rules: ProtectionRules,
  ) {}

  /** @returns the granted actions; scopes without any are left out */
  async grant(asked: readonly RequestedScope[], caller: Caller | undefined): Promise<GrantedAccess[]> {
    const granted = await Promise.all(asked.map((scope) => this.grantScope(scope, caller)));
    return granted.filter(({ actions }) => actions.length > 0);
  }

  private async grantScope(
    { type, name, actions }: RequestedScope,
    caller: Caller | undefined,
  ): Promise<GrantedAccess> {
    if (type === 'registry') return { type, name, actions: name === 'catalog' && readsCatalog(caller) ? actions : [] };
    if (type !== 'repository' || !isImageName(name)) return { type, name, actions: [] };
    return { type, name, actions: await this.grantImage(name, imageActionsOf(actions), caller) };
  }

  /**
   * A name belongs to a project from its first push token on: a later project with that path does not get its images.
   */
  private async grantImage(name: string, asked: ImageAction[], caller: Caller | undefined): Promise<ImageAction[]> {
    const known = await this.repositories.findByPath(name);
    const project = known
      ? await this.projects.find(String(known.projectId), caller)
      : await this.projects.at(name, caller);
    if (!project) return [];
    const allowed = allowedActions(project, caller).filter((action) => asked.includes(action) && isFor(known, action));
    const granted = await this.unprotected(name, allowed, project, caller);
    if (known || !granted.includes('push')) return granted;
    const owner = await this.repositories.claim(claimOf(name, project));
    return owner.projectId === project.id ? granted : [];
  }

  /** Removes actions that protection rules refuse. */
  private async unprotected(name: string, actions: ImageAction[], project: ProjectRef, caller: Caller | undefined) {
    if (!actions.some((action) => action !== 'pull')) return actions;
    const protection = await this.rules.of(project.id);
    const rank = rankOf(project, caller);
    return actions.filter((action) => {
      if (action === 'push') return !protection.refusesPush(name, rank);
      return action !== 'delete' || !protection.refusesDeletion(name, rank);
    });
  }
}

/** Some client versions request `*` instead of `delete`. */
const imageActionsOf = (asked: readonly string[]): ImageAction[] =>
  imageActions.filter((action) => asked.includes(action) || asked.includes('*'));

/** A repository that will be removed accepts no pushes. */
const isFor = (repository: ContainerRepository | null, action: ImageAction): boolean =>
  action !== 'push' || repository?.status !== 'delete_scheduled';

const readsCatalog = (caller: Caller | undefined): boolean => caller?.isAdmin === true && caller.scopes.includes('api');
