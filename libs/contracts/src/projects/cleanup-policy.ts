import { z } from 'zod';
import { id, internal, operation, time } from '../operation';
import { containerExpirationPolicy } from './settings';

/** Policies for images whose time has come, the longest due first. */
export const dueCleanupPolicies = operation({
  name: 'projects.cleanup-policies.list-due',
  access: internal(),
  isRead: true,
  input: z.object({ limit: z.int().min(1).max(1000) }),
  output: z.array(z.object({ project_id: id, run_at: time, policy: containerExpirationPolicy })),
});

/** What is due by a policy is stored: its next time comes. Without effect where that time is another one by now. */
export const passCleanupPolicy = operation({
  name: 'projects.cleanup-policies.pass',
  access: internal(),
  input: z.object({ project_id: id, run_at: time }),
  output: z.object({}),
});
