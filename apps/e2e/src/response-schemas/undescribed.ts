/** Schemas of answers that the server does not give, sorted by name. */
export const undescribed: readonly string[] = [
  // No list of commits has the fields of a single one.
  'commits_details.json',
  // Integrations of projects.
  'integration.json',
  'integrations.json',
  // GET /users/:id/memberships.
  'membership.json',
  'memberships.json',
  // Releases with counts of their milestones.
  'milestone_with_stats.json',
  // Hooks of projects.
  'project_hook.json',
  'project_hooks.json',
  // System hooks.
  'system_hook.json',
  'system_hooks.json',
  // A part that no other schema refers to.
  'types/nullable_string.json',
];
