import type { FailedCopy, GeoFailure } from '@moothall/contracts';
import type { FailedProject } from '../replication/replica-failures';
import type { ReplicaRow } from '../replication/replica-row.schema';

const time = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;
const count = (tries: number | undefined): number | null => tries || null;

/** A project with failed copies, for administrators. See docs/api/geo.md#4. */
export const viewFailure = ({ projectId, code, wiki }: FailedProject): GeoFailure => ({
  project_id: projectId,
  last_repository_synced_at: time(code?.triedAt),
  last_repository_successful_sync_at: time(code?.syncedAt),
  last_wiki_synced_at: time(wiki?.triedAt),
  last_wiki_successful_sync_at: time(wiki?.syncedAt),
  repository_retry_count: count(code?.tries),
  wiki_retry_count: count(wiki?.tries),
  last_repository_sync_failure: code?.error ?? null,
  last_wiki_sync_failure: wiki?.error ?? null,
  last_repository_verification_failure: code?.verifyError ?? null,
  last_wiki_verification_failure: wiki?.verifyError ?? null,
  repository_checksum_mismatch: code?.verification === 'mismatch',
  wiki_checksum_mismatch: wiki?.verification === 'mismatch',
});

/** A failed copy of any kind. */
export const viewFailedCopy = (row: ReplicaRow): FailedCopy => ({
  kind: row.kind === 'code' ? 'repositories' : row.kind === 'wiki' ? 'wikis' : row.kind,
  id: String(row.fileId ?? row.projectId),
  project_id: row.projectId,
  state: row.state,
  error: row.error,
  retry_count: row.tries,
  last_tried_at: time(row.triedAt),
  next_try_at: time(row.dueAt ?? row.verifyAt),
  last_synced_at: time(row.syncedAt),
  verification_error: row.verifyError,
  missing_on_primary: row.verification === 'missing',
});
