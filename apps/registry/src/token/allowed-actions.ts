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

/** Actions of registries: pull, push, and delete. */
export const imageActions = ['pull', 'push', 'delete'] as const;
export type ImageAction = (typeof imageActions)[number];

const scopes: Record<ImageAction, readonly AnyScope[]> = {
  pull: ['api', 'read_registry', nodeScope],
  push: ['api', 'write_registry'],
  delete: ['api', 'write_registry'],
};
/** Jobs may pull and push images of projects that accept their token. */
const ofJobs: readonly ImageAction[] = ['pull', 'push'];

/** Whether a credential covers an action, in projects where its owner may do everything; true without a credential. */
export function credentialAllows(caller: Caller | undefined, action: ImageAction): boolean {
  if (!caller) return true;
  if (caller.credential === 'job_token') return ofJobs.includes(action);
  return caller.scopes.some((scope) => scopes[action].includes(scope));
}

/** Actions of a caller on images of a project. See docs/api/registry.md#2. */
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
