import type { IncludedFile } from './include';
import { PipelineFileError, type Variables } from './job-spec';

/* `include:component`: a file below `templates/` of a project of this server. See docs/api/pipeline-files.md#4. */

export type Component = Extract<IncludedFile, { kind: 'component' }>;

/** As `host/group/project/name@version`. */
const address = /^([^\s/@]+)\/([^\s@]+)\/([\w.-]+)@([^\s@]+)$/;

/** @throws PipelineFileError for an address that is no component of this server */
export function componentAt(text: string, { CI_SERVER_FQDN: ownHost }: Variables): Component {
  const shown = `Component \`${text.slice(0, 200)}\``;
  const [, host, project, name, version] = address.exec(text) ?? [];
  if (!host || !project || !name || !version)
    throw new PipelineFileError(`${shown} needs an address as \`$CI_SERVER_FQDN/group/project/name@version\``);
  if (host !== ownHost) throw new PipelineFileError(`${shown} is of another server, which is not supported`);
  return { kind: 'component', project, name, version, path: null };
}

/** Possible paths of a component's file; for a `local` include, its path. */
export const pathsOf = ({ name, path }: Component): string[] =>
  path === null ? [`templates/${name}.yml`, `templates/${name}/template.yml`] : [path];

/**
 * The meaning of a version: `~latest` is the highest version of the tags, `1` and `1.2` the highest with that prefix.
 * Everything else is a tag, branch or commit.
 * @returns the prefix of matching tags; undefined if the version is a revision
 */
export function prefixOf(version: string): string | undefined {
  if (version === '~latest') return '';
  return /^\d{1,9}(\.\d{1,9})?$/.test(version) ? `${version}.` : undefined;
}

/** The highest of the tags that are versions of three numbers. */
export function highestOf(tags: string[]): string | undefined {
  const versions = tags.filter((tag) => /^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(tag));
  const numbersOf = (version: string) => version.split('.').map(Number);
  return versions.sort((one, other) => {
    const [of, and] = [numbersOf(one), numbersOf(other)];
    return and.map((number, at) => number - (of[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
  })[0];
}
