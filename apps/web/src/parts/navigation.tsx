import type { Operation } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Visit } from '../visit/visits';

/** A part of a project or a group that has a page. */
export interface Part<T> {
  name: string;
  path: (of: T) => string;
  /** Visitors who may not call it do not see the link. */
  needs: Operation;
}

interface Link {
  name: string;
  path: string;
}

/** The parts that the visitor may open. */
export async function openParts<T extends { id: number }>(
  visit: Visit,
  of: T,
  parts: readonly Part<T>[],
): Promise<Link[]> {
  const open = await Promise.all(parts.map(({ needs }) => visit.mayManage(needs, of)));
  return parts.filter((_, at) => open[at]).map(({ name, path }) => ({ name, path: path(of) }));
}

/** Links to parts, and to the first of the settings that the visitor may open. */
export const withSettings = (parts: readonly Link[], [first]: readonly Link[]): readonly Link[] =>
  first ? [...parts, { name: 'Settings', path: first.path }] : parts;

export const Links = ({ to }: { to: readonly Link[] }) => (
  <>
    {to.map(({ name, path }) => (
      <a key={name} href={path}>
        {name}
      </a>
    ))}
  </>
);

/** Links to a project or a group, and to its parts. */
export const Navigation = ({ label, name, path, parts }: Link & { label: string; parts: readonly Link[] }) => (
  <nav class="parts" aria-label={label}>
    <a href={path}>
      <Named>{name}</Named>
    </a>
    <Links to={parts} />
  </nav>
);
