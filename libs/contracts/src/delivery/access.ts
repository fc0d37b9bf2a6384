import { Access, onProject } from '../operation';

/** Releases are there for everybody who reads the project; what they tell of its code is not. See docs/api/releases.md#1. */
export const readsReleases = onProject({ feature: 'repository', anonymous: true });

/** Making and changing releases: developers, of protected tags those who may make the tag. */
export const writesReleases = onProject({ feature: 'repository', level: Access.Developer });
