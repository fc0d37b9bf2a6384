import { z } from 'zod';
import {
  Access,
  bytes,
  commonErrors,
  del,
  errors,
  type FileLimit,
  get,
  type InstanceLimit,
  id,
  internal,
  nothing,
  onProject,
  operation,
  post,
  projectRef,
  text,
  tokenBearer,
  uploadedFile,
} from '../operation';
import { Job } from './job';
import { jobToken } from './runner-job';

export const artifactErrors = errors('artifact', {
  notFound: {
    status: 404,
    message: '404 Not found',
    means: 'The job has none, or none any more, or there is no such file in them.',
  },
  exists: {
    status: 400,
    message: '400 Bad request - another artifact of the same type already exists',
    means: 'The job has sent another file of the kind.',
  },
});

/** Files that jobs upload: an archive, its index, and reports, each once. See docs/api/artifacts.md#1. */
export const artifactTypes = [
  'archive',
  'metadata',
  'trace',
  'accessibility',
  'annotations',
  'api_fuzzing',
  'browser_performance',
  'cobertura',
  'codequality',
  'container_scanning',
  'coverage_fuzzing',
  'cyclonedx',
  'dast',
  'dependency_scanning',
  'dotenv',
  'jacoco',
  'junit',
  'license_scanning',
  'load_performance',
  'lsif',
  'metrics',
  'performance',
  'requirements',
  'sast',
  'secret_detection',
  'terraform',
] as const;
export type ArtifactType = (typeof artifactTypes)[number];

export const artifactFormats = ['zip', 'gzip', 'raw'] as const;
export type ArtifactFormat = (typeof artifactFormats)[number];

export const artifactLimit: FileLimit<InstanceLimit> = {
  bytes: { setting: 'max_artifacts_size' },
  tooLarge: () => commonErrors.tooLarge(),
};

/** Longer than a gigabyte takes at the minimum rate of a usable connection. */
const transferSeconds = 900;

const sent = {
  id,
  token: jobToken,
  artifact_type: z.enum(artifactTypes).default('archive').describe('Kind of the file'),
  artifact_format: z.enum(artifactFormats).default('zip').describe('How it is packed'),
  expire_in: z.string().max(255).optional().describe('When the files expire, as `1 week` or `never`; default `never`'),
};
const whenRunning = ['runner_job.unknown_token', 'common.forbidden once the job does not run any more'];

export const authorizeJobArtifact = operation({
  name: 'ci.runner-artifacts.authorize',
  description: 'Asks before the upload whether the server accepts the file.',
  refusals: [...whenRunning, 'common.too_large'],
  http: post('/jobs/:id/artifacts/authorize', { success: 200 }),
  summary: 'Ask whether a file of a job would be taken, as its runner',
  access: tokenBearer(),
  isRead: true,
  input: z.object({ ...sent, filesize: z.int().min(0).optional().describe('Bytes that it will have') }),
  output: z.object({ MaximumSize: z.int().nullable().describe('Bytes that it may have; null for no limit') }),
});

export const uploadJobArtifact = operation({
  name: 'ci.runner-artifacts.upload',
  description:
    'The archive or a report. Sending the same file again succeeds. Parameters are in the URL, or in the body before the file.',
  refusals: [...whenRunning, 'common.too_large', 'artifact.exists'],
  http: post('/jobs/:id/artifacts'),
  summary: 'Send a file of a job as its runner',
  access: tokenBearer(),
  admittedBy: authorizeJobArtifact,
  input: z.object({ ...sent, file: uploadedFile(artifactLimit).describe('The archive or report') }),
  output: z.object({ message: z.string() }),
  timeoutSeconds: transferSeconds,
});

export const downloadJobArtifact = operation({
  name: 'ci.runner-artifacts.download',
  description: 'Of any job of the project, by the token of one that runs.',
  refusals: ['runner_job.unknown_token', 'artifact.not_found'],
  http: get('/jobs/:id/artifacts'),
  summary: 'Artifacts of a job, for another one',
  access: tokenBearer(),
  input: z.object({
    id,
    token: jobToken,
    direct_download: z.boolean().default(false).describe('Has no effect: they come from here'),
  }),
  output: bytes('application/zip'),
});

const reading = onProject({ feature: 'builds', anonymous: true });
const changing = (level: typeof Access.Developer | typeof Access.Maintainer) => onProject({ feature: 'builds', level });
const ofJob = { ...projectRef, job_id: id };
const ofRef = {
  ...projectRef,
  ref_name: text.describe('Branch or tag, URL-encoded'),
  job: text.describe('Name of a job in the newest successful pipeline of the ref'),
};
const file = { artifact_path: text.describe('Path of a file in the archive') };
const read = {
  access: reading,
  takesJobToken: true,
  refusals: ['job.not_found', 'artifact.not_found', 'common.forbidden for artifacts that the caller may not read'],
};

export const getJobArtifacts = operation({
  ...read,
  name: 'ci.artifacts.get',
  description:
    'As a zip archive. With its token (`JOB-TOKEN`), a running job reads artifacts of its project and of projects that allow it.',
  http: get('/projects/:id/jobs/:job_id/artifacts'),
  summary: 'Artifacts of a job',
  input: z.object(ofJob),
  output: bytes('application/zip'),
});

export const getRefArtifacts = operation({
  ...read,
  name: 'ci.artifacts.get-of-ref',
  description: 'From the newest successful pipeline of the ref, as a zip archive.',
  http: get('/projects/:id/jobs/artifacts/:ref_name/download'),
  summary: 'Artifacts of a job on a branch or tag',
  input: z.object(ofRef),
  output: bytes('application/zip'),
});

export const getArtifactFile = operation({
  ...read,
  name: 'ci.artifacts.get-file',
  description: 'Unpacked on the way.',
  http: get('/projects/:id/jobs/:job_id/artifacts/:artifact_path', { endsInPath: true }),
  summary: 'One file out of the artifacts of a job',
  input: z.object({ ...ofJob, ...file }),
  output: bytes(),
});

/** Limits of a listed folder of artifacts, and of the index that is read for it. */
export const mostListed = { files: 1000, entries: 20_000 };

export const listArtifactFolder = operation({
  ...read,
  name: 'ci.artifacts.list-folder',
  onPages: true,
  isRead: true,
  summary: 'Folders and files in a folder of the artifacts of a job',
  input: z.object({
    ...ofJob,
    folder: z.string().max(8192).describe('Path in the archive, without a slash at the end; empty for the root'),
  }),
  output: z.object({
    folders: z.array(z.string()).describe('Names'),
    files: z.array(z.object({ name: z.string(), size: z.int().describe('Bytes') })),
    is_whole: z.boolean().describe('Whether the whole index was read, and all files and folders are listed'),
  }),
});

export const getRefArtifactFile = operation({
  ...read,
  name: 'ci.artifacts.get-file-of-ref',
  description: 'From the newest successful pipeline of the ref; the server extracts the file.',
  http: get('/projects/:id/jobs/artifacts/:ref_name/raw/:artifact_path', { endsInPath: true }),
  summary: 'One file out of the artifacts of a job on a branch or tag',
  input: z.object({ ...ofRef, ...file }),
  output: bytes(),
});

export const keepArtifacts = operation({
  name: 'ci.artifacts.keep',
  description: 'They do not expire any more.',
  refusals: ['job.not_found', 'artifact.not_found'],
  http: post('/projects/:id/jobs/:job_id/artifacts/keep', { success: 200 }),
  summary: 'Keep the artifacts of a job',
  access: changing(Access.Developer),
  input: z.object(ofJob),
  output: Job,
});

export const deleteArtifacts = operation({
  name: 'ci.artifacts.delete',
  refusals: ['job.not_found'],
  http: del('/projects/:id/jobs/:job_id/artifacts'),
  summary: 'Delete the artifacts of a job',
  access: changing(Access.Maintainer),
  input: z.object(ofJob),
  output: nothing(),
});

export const deleteProjectArtifacts = operation({
  name: 'ci.artifacts.delete-of-project',
  description: 'All but those of pipelines that run; done behind the answer.',
  http: del('/projects/:id/artifacts', { success: 202 }),
  summary: 'Delete the artifacts of a project',
  access: changing(Access.Maintainer),
  input: z.object(projectRef),
  output: z.object({ message: z.string() }),
});

/** Total bytes of the artifacts of projects; projects without any are omitted. */
export const artifactSizes = operation({
  name: 'ci.artifacts.sizes',
  access: internal(),
  isRead: true,
  input: z.object({ project_ids: z.array(id).max(1000) }),
  output: z.array(z.object({ project_id: id, size_bytes: z.int() })),
});
