import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');
const itself = path.relative(root, __filename);
const code = [
  '--include=*.ts',
  '--include=*.tsx',
  '--include=*.mjs',
  '--include=*.js',
  '--exclude-dir=node_modules',
  '--exclude-dir=dist',
];
const places = ['apps', 'libs', 'tools'];

/** @returns lines as `file:number:text` */
function grep(pattern: string): string[] {
  const args = ['-rnP', ...code, pattern, ...places];
  const { status, stdout } = spawnSync('grep', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0 && status !== 1) throw new Error(`grep ${args.join(' ')}: ${status}`);
  return stdout.split('\n').filter((line) => line !== '' && !line.startsWith(itself));
}

const rules = path.join(root, 'docs/api');
const pages = readdirSync(rules);
const clauses = new Map(
  pages.map((page) => {
    const text = readFileSync(path.join(rules, page), 'utf8');
    return [page, [...text.matchAll(/^## <a id="(\d+)"><\/a>\1\. \S/gm)].map(([, number]) => Number(number))];
  }),
);

describe('docs/api', () => {
  it.each(pages.filter((page) => page !== 'README.md'))('%s numbers its clauses', (page) => {
    const headings = readFileSync(path.join(rules, page), 'utf8').match(/^## /gm) ?? [];
    expect(clauses.get(page)).toEqual(headings.map((_, index) => index + 1));
  });

  it('lists its pages', () => {
    const listed = readFileSync(path.join(rules, 'README.md'), 'utf8').match(/(?<=\]\()[\w-]+\.md/g);
    expect(listed?.sort()).toEqual(pages.filter((page) => page !== 'README.md').sort());
  });

  it('contains the targets of its own links', () => {
    const links = pages.flatMap((page) =>
      [...readFileSync(path.join(rules, page), 'utf8').matchAll(/\]\(([\w-]+\.md)(?:#(\d+))?\)/g)].map(
        ([, to, clause]) => `${to}#${clause ?? ''}`,
      ),
    );
    expect(links.filter((link) => !isThere(link))).toEqual([]);
  });
});

describe('a citation in code', () => {
  it('is a clause of docs/api', () => {
    const cited = grep('(?<![\\w/])docs/api/').flatMap((line) =>
      [...line.matchAll(/docs\/api\/([\w.#-]*[\w#])/g)].map(([, target]) => ({ line, target: target! })),
    );
    expect(cited.length).toBeGreaterThan(100);
    expect(cited.filter(({ target }) => !/#\d/.test(target) || !isThere(target))).toEqual([]);
  });

  it('names an existing page', () => {
    const cited = grep('^\\s*(//|/?\\*) .*(?<![\\w/])docs/[\\w/-]+\\.md').flatMap(
      (line) => line.match(/docs\/[\w/-]+\.md/g) ?? [],
    );
    expect(cited.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  // Public standards are cited by name: RFC 6749 5.2, OpenID Connect Core 5.3.
  it.each([
    ['no document that is elsewhere', '(//|\\*).*\\b([Cc]larifications?|([Ss]pecification|[Ss]pec|[Dd]esign) \\d)'],
    ['no list of findings', '(//|\\*) *[A-Z]\\d{1,2}(, [A-Z]\\d{1,2})*: |\\((["\'`])[A-Z]\\d{1,2}: '],
  ])('is %s', (_, pattern) => {
    expect(grep(pattern)).toEqual([]);
  });
});

describe('the words of docs/architecture.md', () => {
  const [, after = ''] = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8').split('\n## Words\n');
  const words = [...after.split('\n## ')[0]!.matchAll(/^\| ([a-z][\w ]*?) \|/gim)].map(([, word]) => word!).slice(1);

  it('are six at most, in alphabetical order', () => {
    expect(words.length).toBeGreaterThan(0);
    expect(words.length).toBeLessThanOrEqual(6);
    expect(words).toEqual([...words].sort());
  });

  it.each(words)('%s is one that code uses', (word) => {
    expect(grep(`(?i)${word.replace(' ', '[ -]?')}`).length).toBeGreaterThan(0);
  });
});

/** @param link `issues.md#3`, or the page alone */
function isThere(link: string): boolean {
  const [page, clause] = link.split('#');
  const known = clauses.get(page!);
  return known !== undefined && (!clause || known.includes(Number(clause)));
}
