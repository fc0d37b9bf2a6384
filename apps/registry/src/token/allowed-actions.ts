import {
  type AnyScope,
  type Caller,
  cleansImages,
  isFeatureOpen,
  isReadable,
  nodeScope,
  type ProjectRef,
  pushesImages,
  readsImages,
} from '@moothall/contracts';

/** What a registry asks for: to pull, to push, and to delete. */
export const imageActions = ['pull', 'push', 'delete'] as const;
export type ImageAction = (typeof imageActions)[number];

const scopes: Record<ImageAction, readonly AnyScope[]> = {
  pull: ['api', 'read_registry', nodeScope],
  push: ['api', 'write_registry'],
  delete: ['api', 'write_registry'],
};
/** Jobs pull and push images of the projects that let them in. */
const ofJobs: readonly ImageAction[] = ['pull', 'push'];

/** What a credential is good for, in projects where its holder may do everything; without one it is not asked. */
export function credentialAllows(caller: Caller | undefined, action: ImageAction): boolean {
  if (!caller) return true;
  if (caller.credential === 'job_token') return ofJobs.includes(action);
  return caller.scopes.some((scope) => scopes[action].includes(scope));
}

/** What somebody may do with the images of a project. See docs/api/registry.md#2. */
export function allowedActions(project: ProjectRef, caller: Caller | undefined): ImageAction[] {
  const isOpen = isReadable(project, caller) && isFeatureOpen(project, 'container_registry');
  if (!isOpen) return [];
  return imageActions.filter(
    (action) => project.accessLevel >= levelFor(action, project) && credentialAllows(caller, action),
  );
}

function levelFor(action: ImageAction, { visibility, isArchived }: ProjectRef): number {
  if (action === 'pull') return visibility === 'private' ? readsImages.levelInPrivate : readsImages.level;
  if (isArchived) return Number.POSITIVE_INFINITY;
  return action === 'push' ? pushesImages.level : cleansImages.level;
}
