import { assembleFile } from './assemble-file';
import { Budget, usualLimits } from './file-limits';
import { FilesWanted, type IncludedFile, keyOf } from './include';
import { type KnownPaths, keyOfQuestion, PathsWanted, RepositoryPaths } from './repository-paths';

type Files = [IncludedFile, string][];
const local = (path: string): IncludedFile => ({ kind: 'local', path });
const ofProject = (path: string): IncludedFile => ({ kind: 'project', project: 'group/ci', ref: 'v1', path });

const assemble = (content: string, files: Files = [], known = {}, paths: KnownPaths = {}) => {
  const parts = {
    files: Object.fromEntries(files.map(([file, text]) => [keyOf(file), text])),
    known,
    readable: known,
    paths: new RepositoryPaths(paths),
  };
  return assembleFile(content, parts, new Budget(usualLimits));
};
function wantedBy(content: string, files: Files = [], known = {}): IncludedFile[] {
  try {
    assemble(content, files, known);
  } catch (error) {
    if (error instanceof FilesWanted) return error.files;
    throw error;
  }
  return [];
}

it('requests every kind of include', () => {
  const include = `include:
  - a.yml
  - local: /b.yml
  - https://example.com/c.yml
  - template: Ruby.gitlab-ci.yml
  - { project: group/$NAME, ref: v1, file: [d.yml, /e.yml] }
  - { local: not.yml, rules: [{ if: $MODE == "full" }] }
  - { local: yes.yml, rules: [{ if: $NAME == "ci" }] }`;
  expect(wantedBy(include, [], { NAME: 'ci' })).toEqual([
    local('a.yml'),
    local('b.yml'),
    { kind: 'remote', url: 'https://example.com/c.yml' },
    { kind: 'template', name: 'Ruby.gitlab-ci.yml' },
    ofProject('d.yml'),
    ofProject('e.yml'),
    local('yes.yml'),
  ]);
});

it('accepts nested lists in an include and in its rules', () => {
  const nested = `.rules: &rules [{ if: $MODE == "full" }, [[{ if: $NAME == "ci" }]]]
.more: &more [b.yml, [c.yml]]
include:
  - { local: a.yml, rules: [*rules] }
  - *more`;
  expect(wantedBy(nested, [], { NAME: 'ci' })).toEqual([local('a.yml'), local('b.yml'), local('c.yml')]);
  expect(wantedBy(nested, [], {})).toEqual([local('b.yml'), local('c.yml')]);
});

it('passes inputs to each include of a file', () => {
  const files: Files = [
    [
      local('job.yml'),
      'spec: { inputs: { name: , tags: { type: array, default: [] } } }\n---\n"job of $[[ inputs.name ]]": { script: x, tags: "$[[ inputs.tags ]]" }',
    ],
  ];
  const content = `include:
  - { local: job.yml, inputs: { name: a } }
  - { local: job.yml, inputs: { name: b, tags: [linux] }, rules: [{ if: $MORE }] }`;
  expect(assemble(content, files)).toEqual({ 'job of a': { script: 'x', tags: [] } });
  expect(assemble(content, files, { MORE: '1' })).toMatchObject({ 'job of b': { script: 'x', tags: ['linux'] } });
  expect(() => assemble('include: job.yml', files)).toThrow('`name` input: required value');
  expect(() => assemble(content, [[local('job.yml'), 'a: { script: x }']])).toThrow('declares none');
});

it('puts files together: later ones win, the file itself over all, maps are merged and lists replaced', () => {
  const files: Files = [
    [local('a.yml'), 'job: { script: [a], tags: [a], variables: { A: a, B: a } }'],
    [local('b.yml'), 'job: { tags: [b], variables: { B: b } }\nother: { script: b }'],
  ];
  expect(assemble('include: [a.yml, b.yml]\njob: { variables: { C: own } }', files)).toEqual({
    job: { script: ['a'], tags: ['b'], variables: { A: 'a', B: 'b', C: 'own' } },
    other: { script: 'b' },
  });
});

it('resolves references to included files', () => {
  const files: Files = [[local('a.yml'), '.setup: { script: [one, two] }']];
  expect(assemble('include: a.yml\njob: { script: [!reference [.setup, script]] }', files)).toMatchObject({
    job: { script: [['one', 'two']] },
  });
});

it('reads local includes of a file in the project of that file', () => {
  const include = 'include: { project: group/ci, ref: v1, file: a.yml }';
  expect(wantedBy(include, [[ofProject('a.yml'), 'include: lib/b.yml']])).toEqual([ofProject('lib/b.yml')]);
  const remote: Files = [[{ kind: 'remote', url: 'http://x/a.yml' }, 'include: b.yml']];
  expect(() => assemble('include: http://x/a.yml', remote)).toThrow('cannot be included');
});

it('requests includes of other kinds by their names', () => {
  const include = `include:
  - { project: group/ci, file: a.yml }
  - { project: group/ci, ref: 7, file: a.yml }
  - { artifact: /out/b.yml, job: make }
  - { component: host/group/ci/lint@1 }
  - { local: never.yml, rules: [{ if: $A, when: never }] }
  - { local: without.yml, rules: [{ if: $A, when: always }] }`;
  const component = { kind: 'component', project: 'group/ci', name: 'lint', version: '1', path: null } as const;
  expect(wantedBy(include, [], { A: '1', CI_SERVER_FQDN: 'host' })).toEqual([
    { kind: 'project', project: 'group/ci', ref: null, path: 'a.yml' },
    { kind: 'project', project: 'group/ci', ref: '7', path: 'a.yml' },
    { kind: 'artifact', job: 'make', path: 'out/b.yml' },
    component,
    local('without.yml'),
  ]);
  // A `local` include of a component is in the component's project.
  const files: Files = [[component, 'include: templates/part.yml']];
  expect(wantedBy('include: { component: host/group/ci/lint@1 }', files, { CI_SERVER_FQDN: 'host' })).toEqual([
    { ...component, path: 'templates/part.yml' },
  ]);
});

it('requests the files that match a pattern from the other project', () => {
  const include = 'include: { project: group/ci, ref: v1, file: a.yml }';
  const files: Files = [[ofProject('a.yml'), 'include: "lib/*.yml"']];
  const question = { kind: 'files', project: 'group/ci', ref: 'v1' } as const;
  expect(() => assemble(include, files)).toThrow(expect.objectContaining({ questions: [question] }) as PathsWanted);
});

it.each([
  [10, true],
  [11, false],
])('accepts includes that are nested %d deep: %s', (depth, isTaken) => {
  const files: Files = Array.from({ length: depth }, (_, at) => [
    local(`${at + 1}.yml`),
    at + 1 === depth ? 'job: { script: x }' : `include: ${at + 2}.yml`,
  ]);
  const read = () => assemble('include: 1.yml', files);
  if (isTaken) expect(read()).toEqual({ job: { script: 'x' } });
  else expect(read).toThrow('Includes are nested too deep');
});

it('accepts the largest number of includes', () => {
  const content = `include: [${Array.from({ length: 150 }, () => 'a.yml')}]`;
  expect(assemble(content, [[local('a.yml'), 'a: 1']])).toEqual({ a: 1 });
});

it.each([
  ['a template', { kind: 'template', name: 'A.gitlab-ci.yml' }, 'include: { template: A.gitlab-ci.yml }'],
  ['another server', { kind: 'remote', url: 'https://x/a.yml' }, 'include: { remote: "https://x/a.yml" }'],
] as [string, IncludedFile, string][])('refuses a local file that a file of %s includes', (_what, file, content) => {
  expect(() => assemble(content, [[file, 'include: b.yml']])).toThrow('cannot be included by a file of another place');
});

it('refuses an include with a clear and short message', () => {
  const problemOf = (content: string, known = {}) => {
    try {
      assemble(content, [], known);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  expect(problemOf('include: { local: [a] }')).toContain('`local` config is invalid');
  expect(problemOf('include: { local: a, colour: red }')).toContain('Unrecognized key');
  expect(problemOf(`include: { other: ${'x'.repeat(3000)} }`).length).toBeLessThan(400);
  expect(problemOf(`include: "$A${'x'.repeat(3000)}"`, { A: 'a'.repeat(2000) }).length).toBeLessThan(300);
  // A text of exactly the maximum length is one.
  expect(wantedBy('include: "$A"', [], { A: 'a'.repeat(4096) })).toHaveLength(1);
  expect(problemOf('include: "$A"', { A: 'a'.repeat(4097) })).toContain('is too long');
});

it.each([
  [
    'a circle',
    'include: a.yml',
    [
      [local('a.yml'), 'include: b.yml'],
      [local('b.yml'), 'include: a.yml'],
    ],
    'circle',
  ],
  ['two places', 'include: { local: a, remote: b }', [], 'exactly one accessor'],
  ['rules that are none', 'include: { local: a, rules: [{ if: [] }] }', [], '`rules:0:if` config is invalid'],
  ['another keyword', 'include: { local: a, colour: red }', [], 'colour'],
  ['a component of another server', 'include: { component: example.com/group/ci/lint@1 }', [], 'is of another server'],
  ['too many', `include: [${Array(151).fill('a.yml')}]`, [[local('a.yml'), 'a: 1']], 'Maximum of 150'],
  ['itself by an alias', 'include: &a [*a]', [], 'too deep'],
  ['an address without an end', 'include: { remote: "http://$A$A$A" }', [], 'is too long'],
  ['no map', 'include: a.yml', [[local('a.yml'), '- a']], 'Invalid configuration format'],
] as [string, string, Files, string][])('refuses %s', (_what, content, files, reason) => {
  expect(() => assemble(content, files, { A: 'a'.repeat(2000) })).toThrow(reason);
});

it('includes all files that match a pattern', () => {
  const question = { kind: 'files', project: null, ref: null } as const;
  const include = 'include: "ci/**/*"';
  expect(() => assemble(include)).toThrow(expect.objectContaining({ questions: [question] }) as PathsWanted);
  const knowing = (paths: string[], isTruncated = false) => ({ [keyOfQuestion(question)]: { paths, isTruncated } });
  const files: Files = [
    [local('ci/a.yml'), 'job: { script: a, tags: [a] }'],
    [local('ci/x/b.yaml'), 'job: { tags: [b] }'],
  ];
  const there = ['ci/x/b.yaml', 'ci/a.yml', 'ci/README.md', 'c.yml'];
  expect(assemble(include, files, {}, knowing(there))).toEqual({ job: { script: 'a', tags: ['b'] } });
  expect(() => assemble(include, files, {}, knowing(there, true))).toThrow('too many files');
  const where = 'include: { local: a.yml, rules: [{ exists: [a.md] }] }';
  const asked = { kind: 'file', path: 'a.md', project: null, ref: null } as const;
  expect(() => assemble(where)).toThrow(expect.objectContaining({ questions: [asked] }) as PathsWanted);
});

it('refuses files that multiply', () => {
  const files: Files = Array.from({ length: 5 }, (_, n) => [
    local(`${n}.yml`),
    `include: [${Array(9).fill(`${n + 1}.yml`)}]`,
  ]);
  expect(() => assemble('include: 0.yml', [...files, [local('5.yml'), 'a: 1']])).toThrow('Maximum of 150');
});
