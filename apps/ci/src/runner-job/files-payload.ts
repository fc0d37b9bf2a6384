import type { RunnerJob } from '@moothall/contracts';
import type { z } from 'zod';
import type { Job, Pipeline } from '../pipeline/pipeline.schema';
import { currentJobs } from '../pipeline/settle';
import { JobNames } from '../pipeline-file/check-needs';
import type { CacheSpec, JobSpec } from '../pipeline-file/job-spec';
import { reportKinds } from '../pipeline-file/report-kinds';

type Payload = z.input<typeof RunnerJob>;

/** The uploads of a runner for a job: one archive, and each report separately. See docs/api/artifacts.md#1. */
export function artifactsOf({ artifacts }: Pick<JobSpec, 'artifacts'>): Payload['artifacts'] {
  if (!artifacts) return [];
  const { paths, exclude, untracked, name, when, expireIn, reports } = artifacts;
  const expiry = expireIn === null ? {} : { expire_in: expireIn };
  const archive = {
    ...(name !== null && { name }),
    untracked,
    paths,
    exclude,
    when,
    artifact_type: 'archive',
    artifact_format: 'zip',
    ...expiry,
  };
  return [
    ...(paths.length > 0 || untracked ? [archive] : []),
    ...reports.map((report) => ({
      name: reportKinds[report.kind].filename,
      untracked: false,
      paths: report.paths,
      // Reports of failed jobs matter most.
      when: 'always',
      artifact_type: report.kind,
      artifact_format: reportKinds[report.kind].format,
      ...expiry,
    })),
  ];
}

/** Caches of runners. Jobs of protected refs use caches of such jobs only. */
export function cachesOf({ cache }: Pick<JobSpec, 'cache'>, { isProtected }: Pick<Pipeline, 'isProtected'>) {
  const suffixed = (key: string, { isShared }: CacheSpec) =>
    isShared ? key : `${key}-${isProtected ? 'protected' : 'non_protected'}`;
  return cache.map((one): Payload['cache'][number] => ({
    key: suffixed(keyOf(one), one),
    untracked: one.untracked,
    policy: one.policy,
    paths: one.paths,
    when: one.when,
    fallback_keys: one.fallbackKeys.map((key) => suffixed(key, one)),
  }));
}

const keyOf = ({ key }: CacheSpec): string =>
  typeof key === 'string'
    ? key
    : [...(key.prefix === undefined ? [] : [key.prefix]), ...key.files].join('-').replaceAll('/', '_');

/** The latest runs of the jobs whose artifacts it downloads: those it waited for, or the named ones of them. */
export function dependenciesOf(jobs: Job[], job: Job, { artifactsFrom }: Pick<JobSpec, 'artifactsFrom'>): Job[] {
  const before = currentJobs(jobs).filter((other) =>
    job.needs ? job.needs.includes(other.name) : other.stageIndex < job.stageIndex,
  );
  if (artifactsFrom === null) return before;
  const names = new JobNames(before);
  const named = new Set(artifactsFrom.flatMap((name) => names.of(name)));
  return before.filter(({ name }) => named.has(name));
}
