import { Access, onProject } from '../operation';

/** Readers of the project see its releases, but not what they show of its code. See docs/api/releases.md#1. */
export const readsReleases = onProject({ feature: 'repository', anonymous: true });

/** Creating and changing releases: developers; for protected tags those who may create the tag. */
export const writesReleases = onProject({ feature: 'repository', level: Access.Developer });
