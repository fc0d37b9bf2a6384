import { z } from 'zod';
import { bytes, id, internalOnProject, nothing, operation } from '../operation';

/*
 * Transfers of repositories to another storage, and so another process: objects as a bundle, refs as a list. They are
 * sent to the storage in the context; `project_id` is the project of the repository.
 */
const repository = { project_id: id, kind: z.enum(['code', 'wiki']).default('code') };

/**
 * The objects of all refs of a repository without those of `has`, as a git bundle. An empty body if there is nothing
 * to send.
 * @throws git.repository_not_found
 */
export const getBundle = operation({
  name: 'repository.copies.bundle',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ ...repository, has: z.array(z.string().length(40)).default([]) }),
  output: bytes('application/x-git-bundle'),
  routedByStorage: true,
});

/** A snapshot of all refs of a repository; `exists` is false if there is no repository. */
export const getRefs = operation({
  name: 'repository.copies.refs',
  access: internalOnProject(),
  isRead: true,
  input: z.object(repository),
  output: z.object({
    exists: z.boolean(),
    head: z.string().nullable(),
    refs: z.array(z.object({ name: z.string(), id: z.string() })),
  }),
  routedByStorage: true,
  timeoutSeconds: 120,
});

/**
 * The upload URL for the bundle of an imported project: its branches, tags and refs of merge requests become those of
 * the context's project when that URL has answered 200. May be repeated. HEAD is set to `head` if it is given.
 * @throws git.bundle_refused, git.import_too_large, on upload
 */
export const receiveBundle = operation({
  name: 'repository.copies.receive-bundle',
  access: internalOnProject(),
  input: z.object({ ...repository, head: z.string().nullable(), most_bytes: z.int().min(0) }),
  output: bytes(),
  routedByStorage: true,
});

/** Limit of grants for one action on a protected branch or tag. */
export const mostProtectionLevels = 100;
const levels = z.array(z.int()).max(mostProtectionLevels);

const ExportedProtection = z.object({
  kind: z.enum(['branch', 'tag']),
  name: z.string().min(1).max(1024),
  push_levels: levels,
  merge_levels: levels,
  unprotect_levels: levels,
  allows_force_push: z.boolean(),
  needs_code_owner: z.boolean(),
});

export { ExportedProtection };

/** All protected branches and tags of the context's project, for its archive. */
export const exportProtections = operation({
  name: 'repository.export.protections',
  access: internalOnProject(),
  isRead: true,
  input: z.object({}),
  output: z.array(ExportedProtection),
  routedByStorage: true,
});

/** Replaces the protected branches and tags of the context's project. May be repeated. */
export const importProtections = operation({
  name: 'repository.import.protections',
  access: internalOnProject(),
  input: z.object({ protections: z.array(ExportedProtection).max(10_000) }),
  output: nothing(),
  routedByStorage: true,
});
