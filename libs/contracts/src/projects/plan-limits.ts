import { z } from 'zod';
import { administrator, event, get, internal, operation, put, someChangeOf } from '../operation';

const most = Number.MAX_SAFE_INTEGER;
/** 0 is no limit. */
const number = (about: string) => z.int().min(0).max(most).describe(about);
/** For limits without an effect here: tools read back what they set. */
const kept = number('Stored and returned; no effect yet');

/** See docs/api/instance.md#10. */
export const PlanLimits = z.object({
  ci_active_jobs: kept,
  ci_instance_level_variables: number('Variables of the instance'),
  ci_needs_size_limit: number('Jobs that one job of a pipeline may need; 0 for none'),
  ci_pipeline_schedules: number('Schedules of a project'),
  ci_pipeline_size: number('Jobs of a pipeline'),
  ci_project_subscriptions: kept,
  ci_registered_group_runners: kept,
  ci_registered_project_runners: number('Runners of a project'),
  conan_max_file_size: kept,
  enforcement_limit: kept,
  generic_packages_max_file_size: number('Bytes of a file of a generic package'),
  helm_max_file_size: kept,
  maven_max_file_size: kept,
  notification_limit: kept,
  npm_max_file_size: kept,
  nuget_max_file_size: kept,
  pipeline_hierarchy_size: kept,
  pypi_max_file_size: kept,
  storage_size_limit: kept,
  terraform_module_max_file_size: kept,
});
export type PlanLimits = z.infer<typeof PlanLimits>;

const [mebibyte, gibibyte] = [1024 ** 2, 1024 ** 3];

/**
 * Defaults of an instance: those of v4, except for variables, schedules and jobs of a pipeline, which have no limit.
 */
export const defaultPlanLimits: PlanLimits = {
  ci_active_jobs: 0,
  ci_instance_level_variables: 0,
  ci_needs_size_limit: 50,
  ci_pipeline_schedules: 0,
  ci_pipeline_size: 0,
  ci_project_subscriptions: 2,
  ci_registered_group_runners: 1000,
  ci_registered_project_runners: 1000,
  conan_max_file_size: 3 * gibibyte,
  enforcement_limit: 10_000,
  generic_packages_max_file_size: 5 * gibibyte,
  helm_max_file_size: 5 * mebibyte,
  maven_max_file_size: 3 * gibibyte,
  notification_limit: 10_000,
  npm_max_file_size: 500 * mebibyte,
  nuget_max_file_size: 500 * mebibyte,
  pipeline_hierarchy_size: 1000,
  pypi_max_file_size: 3 * gibibyte,
  storage_size_limit: 0,
  terraform_module_max_file_size: gibibyte,
};

/** Limits that are enforced, read by name. */
export type HeldPlanLimit =
  | 'ci_instance_level_variables'
  | 'ci_needs_size_limit'
  | 'ci_pipeline_schedules'
  | 'ci_pipeline_size'
  | 'ci_registered_project_runners'
  | 'generic_packages_max_file_size';

const plan = z.literal('default').describe('There is one plan for all: `default`');

export const getPlanLimits = operation({
  name: 'projects.plan-limits.get',
  summary: 'How much of each kind there may be',
  http: get('/application/plan_limits'),
  access: administrator(),
  input: z.object({ plan_name: plan.optional() }),
  output: PlanLimits,
});

export const updatePlanLimits = operation({
  name: 'projects.plan-limits.update',
  summary: 'Change how much there may be',
  description: 'Existing records stay. Services apply a new limit within a minute.',
  http: put('/application/plan_limits'),
  access: administrator(),
  input: z
    .object({ plan_name: plan, ...PlanLimits.partial().shape })
    .refine(...someChangeOf(...Object.keys(PlanLimits.shape))),
  output: PlanLimits,
});

/** The same for services. Read it again after `projects.plan-limits.changed`. */
export const readPlanLimits = operation({
  name: 'projects.plan-limits.read',
  access: internal(),
  isRead: true,
  input: z.object({}),
  output: PlanLimits,
});

export const planLimitsChanged = event({
  name: 'projects.plan-limits.changed',
  data: z.object({ names: z.array(z.string()) }),
});
