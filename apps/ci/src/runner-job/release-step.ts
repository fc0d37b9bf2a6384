import type { ReleaseSpec } from '../pipeline-file/job-spec';

/**
 * The command with which runners of the v4 interface make a release, as a step of its own after the script. Shells put
 * variables in, and run nothing that stands in a text. See docs/api/pipeline-files.md#10.
 */
export function releaseCommand(release: ReleaseSpec): string {
  const given: [string, string | null][] = [
    ['name', release.name],
    ['description', release.description],
    ['tag-name', release.tagName],
    ['tag-message', release.tagMessage],
    ['ref', release.ref],
    ['released-at', release.releasedAt],
    ...release.milestones.map((title): [string, string] => ['milestone', title]),
    ...release.links.map((link): [string, string] => ['assets-link', link]),
  ];
  const flags = given.flatMap(([flag, value]) => (value === null ? [] : [`--${flag} ${quoted(value)}`]));
  return ['release-cli create', ...flags].join(' ');
}

const quoted = (text: string): string => `"${text.replace(/["\\`]|\$(?=[^\w{]|$)/g, '\\$&')}"`;
