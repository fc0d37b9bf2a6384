import { Access, onProject } from '../operation';

const feature = 'container_registry';

/**
 * Reading images: everybody who sees a public or internal project, reporters of a private one. See
 * docs/api/registry.md#2.
 */
export const readsImages = onProject({ feature, levelInPrivate: Access.Reporter, anonymous: true });

/** Deleting single tags: developers, who push them. */
export const pushesImages = onProject({ feature, level: Access.Developer });

/** Deleting images of others: maintainers. */
export const cleansImages = onProject({ feature, level: Access.Maintainer });
