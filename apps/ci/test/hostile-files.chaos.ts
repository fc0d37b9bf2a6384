import { createPipeline, pipelineErrors } from '@moothall/contracts';
import { CiUnderTest } from './ci-under-test';

/* A file of any user who may push is evaluated within limits, and does not block others. */

let ci: CiUnderTest;
beforeAll(async () => {
  ci = await CiUnderTest.start({ ROLES: 'api', CI_YAML_TIMEOUT: '2' });
});
afterAll(() => ci?.stop());

/** Each level of templates contains several of the level below. */
const levels = (count: number, line: (level: number) => string) => Array.from({ length: count }, (_, n) => line(n + 1));
const job = 'job: { script: x }';
const many = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, n) => text(n));

const hostile: [string, string][] = [
  [
    'nested references',
    [
      '.l0: [x, x, x, x, x, x, x, x]',
      ...levels(11, (n) => `.l${n}: [${many(8, () => `!reference [.l${n - 1}]`)}]`),
      'job: { script: !reference [.l11] }',
    ].join('\n'),
  ],
  [
    'templates of templates',
    [
      '.l0: { a: 1 }',
      ...levels(9, (n) => `.l${n}: { extends: [${many(9, () => `.l${n - 1}`)}] }`),
      'job: { extends: .l9 }',
    ].join('\n'),
  ],
  [
    'a large map merged into many',
    [`.a: &a { ${many(5000, (n) => `k${n}: v`)} }`, ...many(5000, (n) => `.b${n}: { <<: *a }`), job].join('\n'),
  ],
  [
    'aliases',
    ['.l0: &l0 [x]', ...levels(12, (n) => `.l${n}: &l${n} [${many(9, () => `*l${n - 1}`)}]`), job].join('\n'),
  ],
  ['depth', `job: { script: ${'['.repeat(100_000)}x${']'.repeat(100_000)} }`],
  ['depth of blocks', many(3000, (n) => `${' '.repeat(n)}a:`).join('\n')],
  [
    'a script for all jobs',
    [`before_script: [${many(100_000, () => 'x')}]`, ...many(400, (n) => `j${n}: { script: x }`)].join('\n'),
  ],
  ['copies of a large job', `job: { script: [${many(50_000, () => 'xxxxxxxx')}], parallel: 200 }`],
  ['needs of needs', many(500, (n) => `j${n}: { script: x, needs: [${many(51, (need) => `j${need}`)}] }`).join('\n')],
  [
    'patterns',
    many(
      300,
      (n) => `j${n}: { script: x, rules: [{ if: '"${'a'.repeat(5000)}" =~ /${'(a{0,30}){0,30}'.repeat(30)}$/' }] }`,
    ).join('\n'),
  ],
  ['names of what every object has', 'job: { script: !reference [constructor, prototype] }'],
];

/** The longest pause of the event loop. */
async function longestPause(during: () => Promise<unknown>): Promise<number> {
  let [longest, last] = [0, performance.now()];
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  await during();
  clearInterval(timer);
  return Math.max(longest, performance.now() - last);
}

it.each(hostile)('%s are an error of the pipeline', async (_what, content) => {
  const project = ci.stubs.project({}, content);
  const developer = ci.stubs.as(ci.stubs.user('developer'), project);
  const refused = async () => {
    await expect(ci.call(createPipeline, { id: '1', ref: 'main' }, developer)).rejects.toMatchObject({
      value: { code: pipelineErrors.invalid.code, message: { base: [expect.stringMatching(/\w/)] } },
    });
  };
  // A busy machine has pauses of its own now and then; the test excludes seconds and minutes at each attempt.
  let pause = await longestPause(refused);
  for (let tries = 1; tries < 4 && pause >= 1000; tries++) pause = await longestPause(refused);
  expect(pause).toBeLessThan(1000);
});
