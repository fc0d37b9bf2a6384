import { z } from 'zod';
import { UserSummary } from '../identity/user';
import { id, time } from '../operation';
import { EnvironmentFacts } from './environment-facts';
import { Job } from './job';

/** See docs/api/deployments.md#4. */
export const deploymentStatuses = ['created', 'running', 'success', 'failed', 'canceled', 'skipped'] as const;
export type DeploymentStatus = (typeof deploymentStatuses)[number];

/** That something was brought to an environment. See docs/api/deployments.md#4. */
export const Deployment = z.object({
  id,
  iid: id,
  ref: z.string(),
  sha: z.string(),
  status: z.enum(deploymentStatuses),
  created_at: time,
  updated_at: time,
  finished_at: time.nullable(),
  user: UserSummary.nullable(),
  environment: EnvironmentFacts.nullable(),
  deployable: Job.nullable().describe('The job that deployed, if any'),
  pending_approval_count: z.int(),
  approvals: z.array(z.never()),
});
