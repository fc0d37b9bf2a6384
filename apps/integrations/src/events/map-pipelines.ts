import { jobChanged, type PipelineHookDetails, type ProjectRef, pipelineChanged } from '@moothall/contracts';
import { type EventMapper, mapEvent, ofProject, snapshotOf } from './event-mapper';
import type { Facts } from './facts';
import type { Payload } from './occurrence';

/** Pipelines and jobs. */
export const pipelineMappers: readonly EventMapper[] = [
  mapEvent(pipelineChanged, async (event, facts) => {
    const { data } = event;
    const project = await facts.project(data.project_id);
    if (!project) return [];
    const status = snapshotOf(data.status);
    const payload = async () => {
      const details = await facts.pipeline(project, data.pipeline_id);
      return {
        object_kind: 'pipeline',
        object_attributes: {
          id: data.pipeline_id,
          iid: data.iid,
          name: data.name ?? null,
          ref: data.ref,
          tag: data.tag,
          sha: data.sha,
          before_sha: data.before_sha,
          source: data.source,
          status,
          detailed_status: status,
          stages: data.stages,
          created_at: data.created_at,
          finished_at: data.finished_at,
          duration: data.duration,
          queued_duration: details?.queued_duration ?? null,
          variables: details?.variables ?? [],
          url: facts.webUrl(project.fullPath, '-', 'pipelines', data.pipeline_id),
        },
        merge_request: viewMergeRequest(details, facts),
        user: facts.viewUser(await facts.user(data.user_id)),
        project: facts.viewProject(project),
        commit: viewCommit(data.sha, details, project, facts),
        ...(details?.source_pipeline && {
          source_pipeline: { ...details.source_pipeline, project: facts.viewProject(project) },
        }),
        builds: await viewBuilds(details, facts),
      };
    };
    return [ofProject(event, project, 'pipeline_events', payload)];
  }),

  mapEvent(jobChanged, async (event, facts) => {
    const { data } = event;
    const project = await facts.project(data.project_id);
    if (!project) return [];
    const payload = async () => ({
      object_kind: 'build',
      ref: data.ref,
      tag: data.tag,
      sha: data.sha,
      build_id: data.job_id,
      build_name: data.name,
      build_stage: data.stage,
      build_status: snapshotOf(data.status),
      build_created_at: data.created_at,
      build_started_at: data.started_at,
      build_finished_at: data.finished_at,
      build_duration: data.duration,
      build_allow_failure: data.allow_failure,
      build_failure_reason: data.failure_reason ?? 'unknown_failure',
      pipeline_id: data.pipeline_id,
      runner: data.runner_id === null ? null : { id: data.runner_id },
      project_id: project.id,
      project_name: project.nameWithNamespace,
      user: facts.viewUser(await facts.user(data.user_id)),
      commit: { id: data.pipeline_id, sha: data.sha, status: snapshotOf(data.status) },
      repository: facts.viewRepository(project),
      project: facts.viewProject(project),
    });
    return [ofProject(event, project, 'job_events', payload)];
  }),
];

type Details = PipelineHookDetails | null;

function viewCommit(id: string, details: Details, project: ProjectRef, facts: Facts): Payload {
  const url = facts.webUrl(project.fullPath, '-', 'commit', id);
  if (!details?.commit) return { id, url };
  const { message, timestamp, author_name: name, author_email: email } = details.commit;
  return { id, message, title: message.split('\n', 1)[0], timestamp, url, author: { name, email } };
}

function viewMergeRequest(details: Details, facts: Facts): Payload | null {
  if (!details?.merge_request) return null;
  const { source_project, target_project, ...rest } = details.merge_request;
  const url = facts.webUrl(target_project.path, '-', 'merge_requests', rest.iid);
  return { ...rest, source_project_id: source_project.id, target_project_id: target_project.id, url };
}

async function viewBuilds(details: Details, facts: Facts): Promise<Payload[]> {
  const builds = details?.builds ?? [];
  const ids = [...new Set(builds.map(({ user_id }) => user_id))];
  const users = new Map(await Promise.all(ids.map(async (id) => [id, facts.viewUser(await facts.user(id))] as const)));
  return builds.map(({ user_id, ...build }) => ({ ...build, user: users.get(user_id) ?? null }));
}
