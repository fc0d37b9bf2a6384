import { sha256 } from '@moothall/secrets';
import { expand } from '../pipeline-file/include';
import type { Environment, Variables } from '../pipeline-file/job-spec';

const maxNameLength = 255;
const maxUrlLength = 2000;
const slugLength = 24;
const suffixLength = 6;

/** What a job learns of its environment; nothing where it has none. @param known what variables in its name stand for */
export function environmentVariables(environment: Environment | undefined, known: Variables): Variables {
  if (!environment) return {};
  const name = expandUpTo(maxNameLength, environment.name, known);
  const own = {
    CI_ENVIRONMENT_NAME: name,
    CI_ENVIRONMENT_SLUG: environmentSlug(name),
    CI_ENVIRONMENT_ACTION: environment.action ?? 'start',
  };
  if (!environment.url) return own;
  return { ...own, CI_ENVIRONMENT_URL: expandUpTo(maxUrlLength, environment.url, { ...known, ...own }) };
}

/** Values may be megabytes, and stand in a text hundreds of times: none is put in beyond what can be shown of it. */
function expandUpTo(length: number, text: string, known: Variables): string {
  const short = Object.fromEntries(Object.entries(known).map(([key, value]) => [key, value.slice(0, length)]));
  return expand(text, short).slice(0, length);
}

/** A name as it can stand in host names, at most 24 characters; one that had to be changed has an end of its own. */
export function environmentSlug(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const slug = /^[a-z]/.test(plain) ? plain : `env-${plain.replace(/^-/, '')}`;
  if (slug === name && slug.length <= slugLength) return slug;
  const suffix = sha256(name).slice(0, suffixLength);
  return `${slug.slice(0, slugLength - suffixLength - 1).replace(/-$/, '')}-${suffix}`;
}
