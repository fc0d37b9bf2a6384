import { z } from 'zod';
import { namePattern } from '../registry/name-pattern';

export const visibility = z.enum(['private', 'internal', 'public']);
export const featureAccessLevel = z.enum(['disabled', 'private', 'enabled']);

/** For parts that do not exist here: tools read back what they set, without an effect. */
const kept = <T extends z.ZodType>(schema: T): T => schema.describe('Stored and returned; no effect yet');

/** Names of the access levels of a project's parts. */
export const featureLevels = {
  issues_access_level: featureAccessLevel,
  repository_access_level: featureAccessLevel,
  merge_requests_access_level: featureAccessLevel,
  forking_access_level: kept(featureAccessLevel),
  wiki_access_level: featureAccessLevel,
  builds_access_level: featureAccessLevel,
  snippets_access_level: featureAccessLevel,
  pages_access_level: kept(featureAccessLevel),
  container_registry_access_level: featureAccessLevel,
};

/** Older switches of the same parts: false is `disabled`, true is `enabled`. */
export const featureSwitches = {
  issues_enabled: z.boolean(),
  merge_requests_enabled: z.boolean(),
  wiki_enabled: z.boolean(),
  jobs_enabled: z.boolean(),
  snippets_enabled: z.boolean(),
  container_registry_enabled: z.boolean(),
};

/** Cleanup policy of image tags. See docs/api/registry.md#7. */
export const containerExpirationPolicy = z.object({
  cadence: z.enum(['1d', '7d', '14d', '1month', '3month']),
  enabled: z.boolean(),
  keep_n: z.int().positive().nullable(),
  older_than: z.enum(['7d', '14d', '30d', '60d', '90d']).nullable(),
  name_regex: namePattern(255).nullable(),
  name_regex_keep: namePattern(255).nullable(),
});
/** As a parameter: missing fields do not change. */
export const containerExpirationPolicyAttributes = containerExpirationPolicy.partial().extend({
  name_regex_delete: containerExpirationPolicy.shape.name_regex
    .optional()
    .describe('Newer name of `name_regex`; it wins'),
});
export type ContainerExpirationPolicy = z.infer<typeof containerExpirationPolicy>;

/**
 * Settings of parts that do not exist here. Tools that describe a project in a file set them, and fail unless they
 * read back what they set; they are stored and returned, without an effect.
 */
const projectPartsElsewhere = {
  packages_enabled: kept(z.boolean()),
  group_runners_enabled: kept(z.boolean()),
  service_desk_enabled: kept(z.boolean()),
  keep_latest_artifact: kept(z.boolean()),
  ci_forward_deployment_enabled: kept(z.boolean()),
  ci_forward_deployment_rollback_allowed: kept(z.boolean()),
  ci_separated_caches: kept(z.boolean()),
  ci_job_token_scope_enabled: kept(z.boolean()),
  ci_allow_fork_pipelines_to_run_in_parent_project: kept(z.boolean()),
  ci_push_repository_for_job_token_allowed: kept(z.boolean()),
  ci_restrict_pipeline_cancellation_role: kept(z.enum(['developer', 'maintainer', 'no_one'])),
  ci_pipeline_variables_minimum_override_role: kept(z.enum(['no_one_allowed', 'developer', 'maintainer', 'owner'])),
  restrict_user_defined_variables: kept(z.boolean()),
  merge_pipelines_enabled: kept(z.boolean()),
  merge_trains_enabled: kept(z.boolean()),
  squash_option: kept(z.enum(['never', 'always', 'default_on', 'default_off'])),
  merge_commit_template: kept(z.string().max(10_000).nullable()),
  squash_commit_template: kept(z.string().max(10_000).nullable()),
  issues_template: kept(z.string().max(10_000).nullable()),
  merge_requests_template: kept(z.string().max(10_000).nullable()),
  issue_branch_template: kept(z.string().max(255).nullable()),
  external_authorization_classification_label: kept(z.string().max(255).nullable()),
  enforce_auth_checks_on_uploads: kept(z.boolean()),
  prevent_merge_without_jira_issue: kept(z.boolean()),
  warn_about_potentially_unwanted_characters: kept(z.boolean()),
  analytics_access_level: kept(featureAccessLevel),
  environments_access_level: kept(featureAccessLevel),
  feature_flags_access_level: kept(featureAccessLevel),
  infrastructure_access_level: kept(featureAccessLevel),
  model_experiments_access_level: kept(featureAccessLevel),
  model_registry_access_level: kept(featureAccessLevel),
  monitor_access_level: kept(featureAccessLevel),
  operations_access_level: kept(featureAccessLevel),
  package_registry_access_level: kept(featureAccessLevel),
  releases_access_level: kept(featureAccessLevel),
  requirements_access_level: kept(featureAccessLevel),
  security_and_compliance_access_level: kept(featureAccessLevel),
};

const partsElsewhere = {
  packages_enabled: true,
  group_runners_enabled: true,
  service_desk_enabled: false,
  keep_latest_artifact: true,
  ci_forward_deployment_enabled: true,
  ci_forward_deployment_rollback_allowed: true,
  ci_separated_caches: true,
  ci_job_token_scope_enabled: false,
  ci_allow_fork_pipelines_to_run_in_parent_project: true,
  ci_push_repository_for_job_token_allowed: false,
  ci_restrict_pipeline_cancellation_role: 'developer',
  ci_pipeline_variables_minimum_override_role: 'developer',
  restrict_user_defined_variables: false,
  merge_pipelines_enabled: false,
  merge_trains_enabled: false,
  squash_option: 'default_off',
  merge_commit_template: null,
  squash_commit_template: null,
  issues_template: null,
  merge_requests_template: null,
  issue_branch_template: null,
  external_authorization_classification_label: null,
  enforce_auth_checks_on_uploads: true,
  prevent_merge_without_jira_issue: false,
  warn_about_potentially_unwanted_characters: true,
  analytics_access_level: 'enabled',
  environments_access_level: 'enabled',
  feature_flags_access_level: 'enabled',
  infrastructure_access_level: 'enabled',
  model_experiments_access_level: 'enabled',
  model_registry_access_level: 'enabled',
  monitor_access_level: 'enabled',
  operations_access_level: 'enabled',
  package_registry_access_level: 'enabled',
  releases_access_level: 'enabled',
  requirements_access_level: 'enabled',
  security_and_compliance_access_level: 'private',
} as const;

/** Settings that are stored and returned unchanged. See docs/api/projects.md#2. */
export const projectSettings = {
  ...projectPartsElsewhere,
  resolve_outdated_diff_discussions: kept(z.boolean()),
  emails_disabled: z.boolean().nullable(),
  shared_runners_enabled: kept(z.boolean()),
  lfs_enabled: kept(z.boolean()),
  request_access_enabled: z.boolean(),
  merge_method: z.enum(['merge', 'rebase_merge', 'ff']),
  ci_config_path: z
    .string()
    .max(255)
    .nullable()
    .describe('Where pipelines are described, from the top of the repository; `.gitlab-ci.yml` unless set'),
  ci_default_git_depth: z.int().min(0).max(1000).describe('Commits that a job clones; 0 for all'),
  build_git_strategy: kept(z.enum(['fetch', 'clone'])),
  build_timeout: z.int().positive().describe('Seconds a job may take that does not say'),
  auto_cancel_pending_pipelines: z
    .enum(['enabled', 'disabled'])
    .describe('Whether a newer pipeline of a ref cancels those before it'),
  auto_devops_enabled: kept(z.boolean()),
  auto_devops_deploy_strategy: kept(z.enum(['continuous', 'manual', 'timed_incremental'])),
  only_allow_merge_if_pipeline_succeeds: z.boolean(),
  allow_merge_on_skipped_pipeline: z.boolean().nullable(),
  only_allow_merge_if_all_discussions_are_resolved: z.boolean(),
  only_allow_merge_if_all_status_checks_passed: z.boolean(),
  remove_source_branch_after_merge: kept(z.boolean()),
  printing_merge_request_link_enabled: kept(z.boolean()),
  suggestion_commit_message: z
    .string()
    .max(255)
    .nullable()
    .describe('Message of commits that apply suggestions; placeholders such as `%{branch_name}` are replaced'),
  autoclose_referenced_issues: z.boolean(),
  public_builds: z.boolean(),
};
const ProjectSettings = z.object(projectSettings);
export type ProjectSettings = z.infer<typeof ProjectSettings>;

export const defaultProjectSettings: ProjectSettings = {
  ...partsElsewhere,
  resolve_outdated_diff_discussions: false,
  emails_disabled: null,
  shared_runners_enabled: true,
  lfs_enabled: true,
  request_access_enabled: true,
  merge_method: 'merge',
  ci_config_path: null,
  ci_default_git_depth: 50,
  build_git_strategy: 'fetch',
  build_timeout: 3600,
  auto_cancel_pending_pipelines: 'enabled',
  auto_devops_enabled: false,
  auto_devops_deploy_strategy: 'continuous',
  only_allow_merge_if_pipeline_succeeds: false,
  allow_merge_on_skipped_pipeline: null,
  only_allow_merge_if_all_discussions_are_resolved: false,
  only_allow_merge_if_all_status_checks_passed: false,
  remove_source_branch_after_merge: true,
  printing_merge_request_link_enabled: true,
  suggestion_commit_message: null,
  autoclose_referenced_issues: true,
  public_builds: true,
};

/** Settings of groups that are stored and returned unchanged. See docs/api/groups.md#2. */
export const groupSettings = {
  share_with_group_lock: z.boolean(),
  require_two_factor_authentication: kept(z.boolean()),
  two_factor_grace_period: z
    .int()
    .min(0)
    .describe('Hours until two-factor authentication is enforced; stored and returned, no effect yet'),
  project_creation_level: z.enum(['noone', 'maintainer', 'developer']),
  auto_devops_enabled: kept(z.boolean().nullable()),
  subgroup_creation_level: z.enum(['owner', 'maintainer']),
  emails_disabled: z.boolean().nullable(),
  mentions_disabled: kept(z.boolean().nullable()),
  lfs_enabled: kept(z.boolean()),
  default_branch_protection: z.int().min(0).max(3),
  request_access_enabled: z.boolean(),
  // As with projects: for parts that do not exist here, stored and returned for tools that read back what they set.
  membership_lock: kept(z.boolean()),
  prevent_forking_outside_group: kept(z.boolean().nullable()),
  prevent_sharing_groups_outside_hierarchy: kept(z.boolean()),
  shared_runners_setting: kept(
    z.enum(['enabled', 'disabled_and_overridable', 'disabled_and_unoverridable', 'disabled_with_override']),
  ),
  shared_runners_minutes_limit: kept(z.int().min(0).nullable()),
  extra_shared_runners_minutes_limit: kept(z.int().min(0).nullable()),
  wiki_access_level: kept(featureAccessLevel),
  default_branch: z.string().max(255).nullable(),
  ip_restriction_ranges: kept(z.string().max(10_000).nullable()),
  allowed_email_domains_list: kept(z.string().max(10_000).nullable()),
  file_template_project_id: z
    .int()
    .positive()
    .nullable()
    .optional()
    .describe('Project of the group whose file templates all of its projects offer. Not in the community edition'),
};
const GroupSettings = z.object(groupSettings);
export type GroupSettings = z.infer<typeof GroupSettings>;

export const defaultGroupSettings: GroupSettings = {
  share_with_group_lock: false,
  require_two_factor_authentication: false,
  two_factor_grace_period: 48,
  project_creation_level: 'developer',
  auto_devops_enabled: null,
  subgroup_creation_level: 'maintainer',
  emails_disabled: null,
  mentions_disabled: null,
  lfs_enabled: true,
  default_branch_protection: 2,
  request_access_enabled: true,
  membership_lock: false,
  prevent_forking_outside_group: null,
  prevent_sharing_groups_outside_hierarchy: false,
  shared_runners_setting: 'enabled',
  shared_runners_minutes_limit: null,
  extra_shared_runners_minutes_limit: null,
  wiki_access_level: 'enabled',
  default_branch: null,
  ip_restriction_ranges: null,
  allowed_email_domains_list: null,
  file_template_project_id: null,
};
