import { isFeatureOpen, type ProjectRef, readsImages } from '@moothall/contracts';

/** Whether a reader of a project may pull its images. See docs/api/registry.md#2. */
export const hasOpenImages = (project: Pick<ProjectRef, 'visibility' | 'accessLevel' | 'features'>): boolean =>
  isFeatureOpen(project, 'container_registry') &&
  (project.visibility !== 'private' || project.accessLevel >= readsImages.levelInPrivate);
