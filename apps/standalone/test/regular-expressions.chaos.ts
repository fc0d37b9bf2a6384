import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ParserOptions, parse } from '@babel/parser';
import { check } from 'recheck';

/*
 * Regular expressions are applied to texts of callers and repositories on the event loop. One that retries at each
 * blank takes minutes for a million blanks. So each regular expression must run in linear time.
 */

const root = path.resolve(__dirname, '../../..');
/**
 * An expression that takes longer to check passes: on a slow machine the check may miss something, but reports nothing
 * false.
 */
const timeout = 5_000;
jest.setTimeout(600_000);

it('is true for every regular expression of the sources', async () => {
  const expressions = [
    ...new Map(
      sources()
        .flatMap(expressionsIn)
        .map((one) => [`${one.pattern}/${one.flags}`, one]),
    ),
  ];
  expect(expressions.length).toBeGreaterThan(100);
  const slow: string[] = [];
  for (const [text, { pattern, flags, place }] of expressions) {
    const complexity = await slowness(pattern, flags);
    if (complexity) slow.push(`${place}: /${text} takes ${complexity} time`);
  }
  expect(slow).toEqual([]);
});

it('would find one that does not', async () => {
  expect(await slowness('^\\s*-\\s+\\[', 'm')).toMatch('polynomial');
});

it('finds all of them: those built from texts escape the input', () => {
  const built = sources().flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .filter((line) => /\bRegExp\(/.test(line) && !/quote\(|replace\(\/\[/.test(line))
      .map(() => file),
  );
  // From words in the same file.
  expect(built).toEqual([
    'apps/collaboration/src/merge-request/record/closing-references.ts',
    'apps/identity/src/session/browser.ts',
    'apps/projects/src/badge/badge-urls.ts',
    'libs/embedded-mongo/src/expression/dates/parse-date.ts',
  ]);
});

/** The fuzzing checker is limited by time, and reported results on a busy machine that it never found again. */
async function slowness(pattern: string, flags: string): Promise<string | undefined> {
  let complexity: string | undefined;
  for (let time = 0; time < 3; time++) {
    const found = await check(pattern, flags, { timeout });
    if (found.status !== 'vulnerable') return undefined;
    complexity = found.complexity.summary;
  }
  return complexity;
}

function expressionsIn(file: string) {
  const text = readFileSync(path.join(root, file), 'utf8');
  const jsx = file.endsWith('.tsx') ? ['jsx' as const] : [];
  const plugins: ParserOptions['plugins'] = ['typescript', 'decorators-legacy', ...jsx];
  const { tokens } = parse(text, { sourceType: 'module', plugins, tokens: true });
  return tokens!
    .filter(({ type }) => type.label === 'regexp')
    .map(({ value, loc }) => ({
      ...(value as { pattern: string; flags: string }),
      place: `${file}:${loc.start.line}`,
    }));
}

function sources(): string[] {
  return ['apps', 'libs']
    .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}/src`))
    .filter((folder) => folder !== 'apps/e2e/src')
    .flatMap((folder) => filesIn(folder))
    .sort();
}

const filesIn = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.spec)\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`);
