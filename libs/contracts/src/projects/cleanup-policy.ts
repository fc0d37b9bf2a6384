import { z } from 'zod';
import { id, internal, operation, time } from '../operation';
import { containerExpirationPolicy } from './settings';

/** Cleanup policies of images that are due, the longest due first. */
export const dueCleanupPolicies = operation({
  name: 'projects.cleanup-policies.list-due',
  access: internal(),
  isRead: true,
  input: z.object({ limit: z.int().min(1).max(1000) }),
  output: z.array(z.object({ project_id: id, run_at: time, policy: containerExpirationPolicy })),
});

/**
 * Records that the run of a policy is stored, and sets its next time. Without effect if that time has changed
 * meanwhile.
 */
export const passCleanupPolicy = operation({
  name: 'projects.cleanup-policies.pass',
  access: internal(),
  input: z.object({ project_id: id, run_at: time }),
  output: z.object({}),
});
