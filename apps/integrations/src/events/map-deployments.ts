import { deploymentChanged, featureFlagChanged } from '@moothall/contracts';
import { type EventMapper, mapEvent, ofProject, snapshotOf } from './event-mapper';

/** Hooks receive the start and the end of a deployment. */
const statuses = ['running', 'success', 'failed', 'canceled'];

/** Deployments and feature flags. */
export const deploymentMappers: readonly EventMapper[] = [
  mapEvent(deploymentChanged, async (event, facts) => {
    const { data } = event;
    const status = snapshotOf(data.status);
    const project = statuses.includes(status) ? await facts.project(data.project_id) : null;
    if (!project) return [];
    const at = (...below: (string | number)[]) => facts.webUrl(project.fullPath, '-', ...below);
    const payload = async () => {
      const user = await facts.user(data.user_id);
      return {
        object_kind: 'deployment',
        status,
        status_changed_at: data.changed_at,
        deployment_id: data.deployment_id,
        deployable_id: data.job_id,
        deployable_url: data.job_id === null ? null : at('jobs', data.job_id),
        environment: data.environment,
        environment_tier: data.environment_tier,
        environment_slug: data.environment_slug,
        environment_external_url: data.environment_external_url,
        project: facts.viewProject(project),
        short_sha: data.sha.slice(0, 8),
        user: facts.viewUser(user),
        user_url: user && facts.webUrl(user.username),
        commit_url: at('commit', data.sha),
        ref: data.ref,
      };
    };
    return [ofProject(event, project, 'deployment_events', payload)];
  }),

  mapEvent(featureFlagChanged, async (event, facts) => {
    const { data } = event;
    const project = await facts.project(data.project_id);
    if (!project) return [];
    const payload = async () => {
      const user = await facts.user(data.user_id);
      return {
        object_kind: 'feature_flag',
        project: facts.viewProject(project),
        user: facts.viewUser(user),
        user_url: user && facts.webUrl(user.username),
        object_attributes: {
          id: data.feature_flag_id,
          name: data.name,
          description: data.description,
          active: snapshotOf(data.active),
        },
      };
    };
    return [ofProject(event, project, 'feature_flag_events', payload)];
  }),
];
