import { Access, onProject } from '../operation';

/**
 * Reading code: everybody who sees a public or internal project, reporters of a private one. See
 * docs/api/repository.md#1.
 */
export const readsCode = onProject({
  feature: 'repository',
  levelInPrivate: Access.Reporter,
  ability: 'read_code',
  anonymous: true,
});

/** Changing code: developers. */
export const pushesCode = onProject({ feature: 'repository', level: Access.Developer });
