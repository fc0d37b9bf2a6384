import { z } from 'zod';
import { id, internal, internalForCaller, internalOnProject, operation, time } from '../operation';

/** A lock of a path, in the form of git-lfs. See docs/api/lfs.md#5. */
export const LfsLock = z.object({
  id: z.string(),
  path: z.string(),
  locked_at: time,
  owner: z.object({ name: z.string() }),
});
export type LfsLock = z.infer<typeof LfsLock>;

export const lfsLockPath = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[^\0\r\n]+$/, 'is invalid');

export const mostLfsLocksPerPage = 100;
const walk = {
  /** The first lock of the page: `next_cursor` of the previous page. */
  cursor: id.optional(),
  limit: z.int().min(1).max(mostLfsLocksPerPage).default(mostLfsLocksPerPage),
};

/** Locks a path, or returns the existing lock, which is not `is_new`. @throws lfs.too_many_locks */
export const createLfsLock = operation({
  name: 'delivery.lfs-locks.create',
  access: internalForCaller(),
  input: z.object({ path: lfsLockPath }),
  output: z.object({ lock: LfsLock, is_new: z.boolean() }),
});

export const listLfsLocks = operation({
  name: 'delivery.lfs-locks.list',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ ...walk, path: lfsLockPath.optional(), id: id.optional() }),
  output: z.object({ locks: z.array(LfsLock), next_cursor: z.string().optional() }),
});

/** The same, divided into locks of the caller and others; only users have locks. */
export const verifyLfsLocks = operation({
  name: 'delivery.lfs-locks.verify',
  access: internalOnProject(),
  isRead: true,
  input: z.object(walk),
  output: z.object({ ours: z.array(LfsLock), theirs: z.array(LfsLock), next_cursor: z.string().optional() }),
});

/** @throws lfs.lock_not_found; lfs.lock_of_another without `force`, lfs.force_refused below maintainers */
export const deleteLfsLock = operation({
  name: 'delivery.lfs-locks.delete',
  access: internalForCaller(),
  input: z.object({ lock_id: id, force: z.boolean().default(false) }),
  output: z.object({ lock: LfsLock }),
});

/** Paths that one question may name. */
export const mostLfsPaths = 1_000;

/**
 * Locks of other users in a project, of some paths or all; the first hundred. For a caller who is about to change
 * files. See docs/api/lfs.md#6.
 */
export const lfsLocksOfOthers = operation({
  name: 'delivery.lfs-locks.list-of-others',
  access: internal(),
  isRead: true,
  input: z.object({
    project_id: id,
    /** Only users have locks. */
    user_id: z.int().optional(),
    paths: z.array(z.string()).max(mostLfsPaths).optional(),
  }),
  output: z.array(z.object({ path: z.string(), username: z.string() })).max(mostLfsLocksPerPage),
});
