import { mergeRequestRef, onlyGiven, type PipelineMergeRequest, type ProjectRef } from '@moothall/contracts';
import { imagePrefix, registryHost, type ServiceSettings } from '@moothall/service';
import type { Variables } from '../pipeline-file/job-spec';
import type { Job, Pipeline } from './pipeline.schema';

interface Maker {
  id: number;
  username: string;
  name: string;
  email: string;
}

type Facts = Pick<
  Pipeline,
  'ref' | 'isTag' | 'isProtected' | 'sha' | 'beforeSha' | 'source' | 'commit' | 'mergeRequest'
>;

type Settings = Pick<ServiceSettings, 'EXTERNAL_URL' | 'REGISTRY_EXTERNAL_URL'>;

/** The path of a project's pipeline file, from the root of the repository. */
export const pipelineFilePath = ({ ci }: Pick<ProjectRef, 'ci'>): string => ci?.configPath ?? '.gitlab-ci.yml';

/** Variables of every job that are known before the pipeline file is read. */
export function predefinedVariables(
  { isTag, isProtected, sha, beforeSha, source, commit, mergeRequest, ...facts }: Facts,
  project: ProjectRef,
  settings: Settings,
  scheduleDescription?: string,
): Variables {
  const { EXTERNAL_URL: externalUrl } = settings;
  const url = new URL(externalUrl);
  const ref = mergeRequest?.source_branch ?? facts.ref;
  const namespace = project.fullPath.slice(0, -project.path.length - 1);
  return {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_SERVER: 'yes',
    CI_SERVER_URL: externalUrl,
    CI_SERVER_HOST: url.hostname,
    CI_SERVER_FQDN: url.host,
    CI_SERVER_PORT: url.port || (url.protocol === 'https:' ? '443' : '80'),
    CI_SERVER_PROTOCOL: url.protocol.replace(':', ''),
    CI_API_V4_URL: `${externalUrl}/api/v4`,
    CI_COMMIT_SHA: sha,
    CI_COMMIT_SHORT_SHA: sha.slice(0, 8),
    CI_COMMIT_BEFORE_SHA: beforeSha,
    CI_COMMIT_REF_NAME: ref,
    CI_COMMIT_REF_SLUG: slugOf(ref),
    CI_COMMIT_REF_PROTECTED: String(isProtected),
    CI_CONFIG_PATH: pipelineFilePath(project),
    ...(isTag && { CI_COMMIT_TAG: ref }),
    ...(!isTag && !mergeRequest && { CI_COMMIT_BRANCH: ref }),
    ...(mergeRequest && variablesOf(mergeRequest, externalUrl)),
    ...(commit && {
      CI_COMMIT_MESSAGE: commit.message,
      CI_COMMIT_TITLE: commit.message.split('\n', 1)[0] ?? '',
      CI_COMMIT_DESCRIPTION: commit.message.replace(/^.*\n*/, ''),
      CI_COMMIT_AUTHOR: `${commit.authorName} <${commit.authorEmail}>`,
      CI_COMMIT_TIMESTAMP: commit.committedAt.toISOString(),
    }),
    CI_DEFAULT_BRANCH: project.defaultBranch ?? '',
    CI_PIPELINE_SOURCE: source,
    CI_PROJECT_ID: String(project.id),
    CI_PROJECT_NAME: project.path,
    CI_PROJECT_TITLE: project.name,
    CI_PROJECT_PATH: project.fullPath,
    CI_PROJECT_PATH_SLUG: slugOf(project.fullPath),
    CI_PROJECT_NAMESPACE: namespace,
    CI_PROJECT_ROOT_NAMESPACE: namespace.split('/', 1)[0] ?? '',
    CI_PROJECT_URL: `${externalUrl}/${project.fullPath}`,
    CI_PROJECT_VISIBILITY: project.visibility,
    ...onlyGiven({
      CI_REGISTRY: registryHost(settings),
      CI_REGISTRY_IMAGE: imagePrefix(settings, project.fullPath),
    }),
    ...(scheduleDescription !== undefined && { CI_PIPELINE_SCHEDULE_DESCRIPTION: scheduleDescription }),
  };
}

function variablesOf(mergeRequest: PipelineMergeRequest, externalUrl: string): Variables {
  const { source_project: source, target_project: target } = mergeRequest;
  return {
    CI_MERGE_REQUEST_ID: String(mergeRequest.id),
    CI_MERGE_REQUEST_IID: String(mergeRequest.iid),
    CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
    CI_MERGE_REQUEST_REF_PATH: mergeRequestRef(mergeRequest.iid),
    CI_MERGE_REQUEST_TITLE: mergeRequest.title,
    CI_MERGE_REQUEST_LABELS: mergeRequest.labels.join(','),
    CI_MERGE_REQUEST_DIFF_BASE_SHA: mergeRequest.diff_base_sha ?? '',
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: mergeRequest.source_branch,
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: String(source.id),
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: source.path,
    CI_MERGE_REQUEST_SOURCE_PROJECT_URL: `${externalUrl}/${source.path}`,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: mergeRequest.target_branch,
    CI_MERGE_REQUEST_PROJECT_ID: String(target.id),
    CI_MERGE_REQUEST_PROJECT_PATH: target.path,
    CI_MERGE_REQUEST_PROJECT_URL: `${externalUrl}/${target.path}`,
  };
}

/** Variables of one run of a job. */
export function runVariables(
  pipeline: Pick<Pipeline, '_id' | 'iid' | 'name' | 'createdAt'>,
  job: Pick<Job, 'id' | 'name' | 'stage' | 'startedAt'>,
  project: ProjectRef,
  externalUrl: string,
  maker?: Maker,
): Variables {
  return {
    CI_PIPELINE_ID: String(pipeline._id),
    CI_PIPELINE_IID: String(pipeline.iid),
    CI_PIPELINE_URL: `${externalUrl}/${project.fullPath}/-/pipelines/${pipeline._id}`,
    ...(pipeline.name !== undefined && { CI_PIPELINE_NAME: pipeline.name }),
    CI_PIPELINE_CREATED_AT: pipeline.createdAt.toISOString(),
    CI_JOB_ID: String(job.id),
    CI_JOB_NAME: job.name,
    CI_JOB_STAGE: job.stage,
    ...(job.startedAt && { CI_JOB_STARTED_AT: job.startedAt.toISOString() }),
    CI_JOB_URL: `${externalUrl}/${project.fullPath}/-/jobs/${job.id}`,
    ...(maker && {
      GITLAB_USER_ID: String(maker.id),
      GITLAB_USER_LOGIN: maker.username,
      GITLAB_USER_NAME: maker.name,
      GITLAB_USER_EMAIL: maker.email,
    }),
  };
}

/** A name that is valid in host names: lower case, 63 characters, only letters, digits and inner dashes. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .slice(0, 63)
    .replace(/^-+|(?<!-)-+$/g, '');
