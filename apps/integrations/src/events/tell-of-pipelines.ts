import { jobChanged, pipelineChanged } from '@moothall/contracts';
import { asItWas, ofProject, type Teller, tells } from './teller';

/** What is told of pipelines and jobs. */
export const pipelineTellers: readonly Teller[] = [
  tells(pipelineChanged, async (event, facts) => {
    const { data } = event;
    const project = await facts.project(data.project_id);
    if (!project) return [];
    const status = asItWas(data.status);
    const payload = async () => ({
      object_kind: 'pipeline',
      object_attributes: {
        id: data.pipeline_id,
        iid: data.iid,
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
        url: facts.webUrl(project.fullPath, '-', 'pipelines', data.pipeline_id),
      },
      merge_request: null,
      user: facts.viewUser(await facts.user(data.user_id)),
      project: facts.viewProject(project),
      commit: { id: data.sha, url: facts.webUrl(project.fullPath, '-', 'commit', data.sha) },
    });
    return [ofProject(event, project, 'pipeline_events', payload)];
  }),

  tells(jobChanged, async (event, facts) => {
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
      build_status: asItWas(data.status),
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
      commit: { id: data.pipeline_id, sha: data.sha, status: asItWas(data.status) },
      repository: facts.viewRepository(project),
      project: facts.viewProject(project),
    });
    return [ofProject(event, project, 'job_events', payload)];
  }),
];
