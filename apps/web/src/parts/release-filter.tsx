import { getRelease, type ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Address } from '../page/page';
import type { Visit } from '../visit/visits';
import { below } from './code-address';

const tagOf = ({ query }: Address): string => query.get('release_tag') ?? '';

/**
 * The milestones of the release of an address: `?release_tag=v1`, as in the links of a release.
 * @returns undefined if it names none; no milestone of a release that the visitor may not see
 */
export async function milestonesOfRelease(
  visit: Visit,
  project: ProjectRef,
  address: Address,
): Promise<number[] | undefined> {
  const tag_name = tagOf(address);
  if (tag_name === '') return undefined;
  const release = await visit.askIfSeen(getRelease, { id: String(project.id), tag_name });
  return release?.milestones?.map(({ id }) => id) ?? [];
}

/** Says that a list has only records of a release. */
export const OfRelease = ({ project, address }: { project: ProjectRef; address: Address }) => {
  const tag = tagOf(address);
  if (tag === '') return null;
  return (
    <p class="dim">
      With a milestone of the release{' '}
      <a href={below(project, 'releases', tag)}>
        <Named>{tag}</Named>
      </a>
    </p>
  );
};
