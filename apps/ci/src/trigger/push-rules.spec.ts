import { pushedRefs, readPushOptions } from './push-rules';

const [none, before, after] = ['0'.repeat(40), '1'.repeat(40), '2'.repeat(40)];
const moved = (ref: string) => ({ ref, before, after });

it('selects created and changed branches and tags, and no deleted ones', () => {
  const changes = [
    { ref: 'refs/heads/gone', before, after: none },
    { ref: 'refs/heads/a/b', before: none, after },
    moved('refs/tags/v1'),
    moved('refs/notes/x'),
  ];
  expect(pushedRefs(changes)).toEqual([
    { ref: 'a/b', refType: 'branch', before: none, after },
    { ref: 'v1', refType: 'tag', before, after },
  ]);
});

it('selects the first four', () => {
  const changes = ['1', '2', '3', '4', '5'].map((name) => moved(`refs/heads/${name}`));
  expect(pushedRefs(changes).map(({ ref }) => ref)).toEqual(['1', '2', '3', '4']);
});

it.each([
  [['ci.skip'], true],
  [['ci.skip=true'], true],
  [['ci.skipped', 'x.ci.skip'], false],
  [[], false],
])('reads from %j that no pipeline is created: %s', (options, isSkipped) => {
  expect(readPushOptions(options).isSkipped).toBe(isSkipped);
});

it('reads variables: the last of a key, any value, and no invalid keys', () => {
  const options = ['ci.variable=A=1', 'ci.variable=A=b=c d', 'ci.variable=B=', 'ci.variable=no-key=1', 'ci.variable=C'];
  expect(readPushOptions(options).variables).toEqual([
    { key: 'A', value: 'b=c d', variable_type: 'env_var' },
    { key: 'B', value: '', variable_type: 'env_var' },
  ]);
});
