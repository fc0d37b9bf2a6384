import { Access, onProject } from '../operation';

/** Readers of the project see its releases, but not their parts of its code. See docs/api/releases.md#1. */
export const readsReleases = onProject({ feature: 'repository', anonymous: true });

/** Creating and changing releases: developers; for protected tags, users who may create the tag. */
export const writesReleases = onProject({ feature: 'repository', level: Access.Developer });
