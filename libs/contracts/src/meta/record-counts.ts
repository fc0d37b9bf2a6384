import { z } from 'zod';
import { internal, operation } from '../operation';

/**
 * The number of records of some kinds of a service, by the statistics of its database: nothing is read, and
 * unfinished changes may be included.
 */
const counting = <K extends string>(service: string, kinds: readonly K[]) =>
  operation({
    name: `${service}.records.count`,
    access: internal(),
    isRead: true,
    input: z.object({}),
    output: z.object(Object.fromEntries(kinds.map((kind) => [kind, z.int()])) as Record<K, z.ZodInt>),
  });

export const countProjectRecords = counting('projects', ['projects', 'attachments']);
export const countRepositories = counting('repository', [
  'repositories',
  'wikis',
  'repositories_checked',
  'repositories_checked_failed',
  'repositories_checksummed',
  'repositories_checksum_failed',
  'wikis_checksummed',
  'wikis_checksum_failed',
]);
export const countJobArtifacts = counting('ci', ['job_artifacts']);
export const countContainerRepositories = counting('registry', ['container_repositories']);
export const countIdentityRecords = counting('identity', ['users', 'active_users', 'ssh_keys']);
export const countTalkRecords = counting('collaboration', [
  'issues',
  'merge_requests',
  'notes',
  'snippets',
  'milestones',
]);
export const countPackageFiles = counting('delivery', ['package_files', 'lfs_objects']);
