import type { ReleaseSpec } from '../pipeline-file/job-spec';

/**
 * The command with which runners of the v4 interface create a release, as a step after the script. Shells resolve
 * variables, and run nothing in a text. See docs/api/pipeline-files.md#10.
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
