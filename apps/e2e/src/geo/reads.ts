import { operations } from '@moothall/contracts';

/** Responses that depend on the site or the moment: nodes, version, and counters. */
const ofTheSite = new Set(['geo', 'meta']);
const ofTheMoment = /background-jobs|sidekiq|metrics|oauth|sign|session|runner|two-factor|password|confirm|application/;

/** A path of each read operation, on records of a project if it needs one. */
export const readsOf = (project: { id: number }): string[] => [
  ...new Set(
    operations
      .filter(({ service, name }) => !ofTheSite.has(service) && !ofTheMoment.test(name))
      .flatMap(({ routes }) => routes)
      .filter(({ method, isAtRoot }) => method === 'GET' && !isAtRoot)
      .map(({ path }) => path.replace(/:(\w+)|\*/g, (_, name = 'file') => plausibleFor(path, name, project))),
  ),
];

function plausibleFor(path: string, name: string, { id }: { id: number }): string {
  if (name === 'id' && path.startsWith('/projects/')) return String(id);
  if (/sha|ref|branch/.test(name)) return 'main';
  return /id$|number|iid/.test(name) ? '1' : 'none';
}
