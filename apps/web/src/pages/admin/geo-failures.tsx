import { type GeoFailure, geoErrors, isError, listGeoFailures } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Visit } from '../../visit/visits';

const shown = 50;

/** The first projects that this site did not copy; undefined unless it is a secondary. */
export async function geoFailuresOf(visit: Visit): Promise<GeoFailure[] | undefined> {
  try {
    return (await visit.ask(listGeoFailures, { per_page: shown })).items;
  } catch (error) {
    if (isError(error, geoErrors.notOfPrimary) || isError(error, geoErrors.nodeNotFound)) return undefined;
    throw error;
  }
}

export const GeoFailures = ({ failures }: { failures: readonly GeoFailure[] }) => (
  <>
    <h2>Projects that this site did not copy</h2>
    {failures.length === 0 && <p class="dim">None.</p>}
    <ul class="list">
      {failures.map((failure) => (
        <li key={failure.project_id}>
          <p>
            Project {failure.project_id}, {(failure.repository_retry_count ?? 0) + (failure.wiki_retry_count ?? 0)}{' '}
            retries
          </p>
          {[failure.last_repository_sync_failure, failure.last_wiki_sync_failure].map(
            (text) =>
              text && (
                <p key={text}>
                  <Named>{text}</Named>
                </p>
              ),
          )}
        </li>
      ))}
    </ul>
    {failures.length === shown && <p class="dim">The API lists further ones.</p>}
  </>
);
