import { execFileSync } from 'node:child_process';
import type { ReleaseSpec } from '../pipeline-file/job-spec';
import { releaseCommand } from './release-step';

const spec: ReleaseSpec = {
  tagName: '$CI_COMMIT_TAG',
  tagMessage: null,
  name: null,
  description: 'x',
  ref: null,
  milestones: [],
  releasedAt: null,
  links: [],
};

/** The arguments of a command in a shell. */
function argumentsOf(command: string, env: Record<string, string> = {}): string[] {
  const told = 'told() { for one in "$@"; do printf "%s\\0" "$one"; done; }';
  const out = execFileSync('sh', ['-c', `${told}\n${command.replace(/^release-cli/, 'told')}`], {
    env,
    encoding: 'utf8',
  });
  return out.split('\0').slice(0, -1);
}

it('contains every keyword of the release, with resolved variables', () => {
  const links = [JSON.stringify({ name: 'app', url: 'https://example.com/$CI_COMMIT_TAG' })];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the form with braces of variables
  const given = { ...spec, name: 'First ${CI_COMMIT_TAG}', ref: 'main', milestones: ['m 1', 'm 2'], links };
  expect(argumentsOf(releaseCommand(given), { CI_COMMIT_TAG: 'v1' })).toEqual([
    ...['create', '--name', 'First v1', '--description', 'x', '--tag-name', 'v1', '--ref', 'main'],
    ...['--milestone', 'm 1', '--milestone', 'm 2', '--assets-link', '{"name":"app","url":"https://example.com/v1"}'],
  ]);
});

it.each([
  '$(echo run)',
  '`echo run`',
  '"; echo run; "',
  "it's \\ $ 5",
  'two\nlines',
  '\\$(echo run)',
  '$((1 + 1))',
  'ends with $',
])('runs nothing of %j', (description) => {
  expect(argumentsOf(releaseCommand({ ...spec, description }))).toContain(description);
});
