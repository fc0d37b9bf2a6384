import { trailersIn } from '../commit/trailers';
import { addSection, entriesOf, renderSection } from './changelog';
import { formatDay, readConfig } from './changelog-config';
import { compareVersions, readVersion } from './version';

const id = (digit: string) => digit.repeat(40);
const commit = (digit: string, message: string, parents: string[] = []) =>
  ({ id: id(digit), title: message.split('\n')[0]!, message, parentIds: parents.map(id) }) as never;
const said = (title: string, category: string) => `${title}\n\nText.\n\nChangelog: ${category}\n`;

describe('trailers of a message', () => {
  it.each([
    ['A\n\nChangelog: feature\n', [['Changelog', 'feature']]],
    [
      'A\n\nText\n\nSigned-off-by: A <a@b>\nCHANGELOG :  fix it \n',
      [
        ['Signed-off-by', 'A <a@b>'],
        ['CHANGELOG', 'fix it'],
      ],
    ],
    ['A\n\nIssue: 1\n and 2\n', [['Issue', '1 and 2']]],
    [`A\n\nChangelog: x\n(cherry picked from commit ${id('a')})`, [['Changelog', 'x']]],
    ['Changelog: feature', []],
    ['A\n\nChangelog: feature\nand text', []],
    ['A\n\nChangelog: feature\n\nText', []],
    ['', []],
  ])('%j', (message, trailers) => expect(trailersIn(message)).toEqual(trailers));
});

describe('the order of versions', () => {
  it.each([
    ['1.0.0', '1.0.1'],
    ['1.9.0', '1.10.0'],
    ['1.0.0-rc1', '1.0.0'],
    ['1.0.0-alpha', '1.0.0-alpha.1'],
    ['1.0.0-2', '1.0.0-10'],
    ['1.0.0-10', '1.0.0-a'],
    ['v1.0.0', '2.0.0'],
  ])('%s is before %s', (a, b) => {
    expect(compareVersions(readVersion(a)!, readVersion(b)!)).toBeLessThan(0);
    expect(compareVersions(readVersion(b)!, readVersion(a)!)).toBeGreaterThan(0);
  });

  it.each(['', '1', '1.2', 'a.b.c', '1.2.3.4', 'release'])('%p is no version', (text) =>
    expect(readVersion(text)).toBeUndefined(),
  );
});

describe('entries', () => {
  it('are commits with the trailer, newest first, with the merge request that brought them', () => {
    const commits = [
      commit('6', 'On main\n\nchangelog: other', ['5']),
      commit('5', "Merge branch 'b' into 'main'\n\nB\n\nSee merge request group/project!7", ['2', '4']),
      commit('4', said('Second', 'feature'), ['3']),
      commit('3', said('First', 'feature'), ['2']),
      commit('2', said('Before', 'fixed'), ['1']),
    ];
    expect(entriesOf(commits, 'Changelog')).toEqual([
      { category: 'other', title: 'On main', commitId: id('6'), mergeRequest: undefined },
      { category: 'feature', title: 'Second', commitId: id('4'), mergeRequest: 7 },
      { category: 'feature', title: 'First', commitId: id('3'), mergeRequest: 7 },
      { category: 'fixed', title: 'Before', commitId: id('2'), mergeRequest: undefined },
    ]);
    expect(entriesOf(commits, 'Kind')).toEqual([]);
  });

  it('do not contain reverted commits', () => {
    const revert = `Revert "Two"\n\nThis reverts commit ${id('2')}.\n`;
    expect(entriesOf([commit('3', revert, ['2']), commit('2', said('Two', 'x'), ['1'])], 'Changelog')).toEqual([]);
  });
});

const section = { version: '1.0.0', date: '2026-11-25', project: 'group/project', categories: {} };
const entry = { category: 'feature', title: 'One', commitId: id('1'), mergeRequest: 3 };

describe('a section', () => {
  it('has a heading for each kind of change', () => {
    const entries = [entry, { ...entry, category: 'fixed', mergeRequest: undefined }, entry];
    expect(renderSection({ ...section, entries, categories: { fixed: 'Mended', toString: 'x' } })).toBe(
      `## 1.0.0 (2026-11-25)\n\n### feature (2 changes)\n\n${`- [One](group/project@${id('1')}) ([merge request](group/project!3))\n`.repeat(2)}\n### Mended (1 change)\n\n- [One](group/project@${id('1')})\n`,
    );
    expect(renderSection({ ...section, entries: [] })).toBe('## 1.0.0 (2026-11-25)\n\nNo changes.\n');
  });

  it('is inserted in the order of versions, and replaces itself', () => {
    const add = (changelog: string, version: string) =>
      addSection(changelog, readVersion(version)!, `## ${version} (now)\n\nNew\n`);
    expect(add('', '1.0.0')).toBe('## 1.0.0 (now)\n\nNew\n');
    const old = '# Changes\n\n## 2.0.0\n\nTwo\n\n## Notes\n\nStay\n\n## 1.0.0\n\nOne\n';
    expect(add(old, '1.5.0')).toBe(
      '# Changes\n\n## 2.0.0\n\nTwo\n\n## Notes\n\nStay\n\n## 1.5.0 (now)\n\nNew\n\n## 1.0.0\n\nOne\n',
    );
    expect(add(old, '1.0.0')).toBe('# Changes\n\n## 2.0.0\n\nTwo\n\n## Notes\n\nStay\n\n## 1.0.0 (now)\n\nNew\n');
    expect(add(add(old, '3.0.0'), '3.0.0')).toBe(add(old, '3.0.0'));
  });
});

describe('the configuration', () => {
  it('names categories, dates and tags', () => {
    const config = readConfig(
      "categories:\n  feature: Features\n  1: One\ndate_format: '%-d %B %Y'\ntag_regex: '^release-(?P<major>\\d+)_(?<minor>\\d+)_(?<patch>\\d+)$'\n",
    );
    expect(config.categories).toEqual({ feature: 'Features', '1': 'One' });
    expect(config.versionOf('release-1_2_3')).toBe('1.2.3');
    expect(config.versionOf('v1.2.3')).toBeUndefined();
    expect(formatDay(new Date('2026-11-05T00:00:00Z'), config.dateFormat)).toBe('5 November 2026');
  });

  it('is plain without a template', () => {
    expect(readConfig(undefined).versionOf('v1.2.3')).toBe('v1.2.3');
    expect(readConfig('').categories).toEqual({});
  });

  it.each(['- a', 'a: [', 'x', 'template: x', 'categories: [1]', 'tag_regex: 1', "tag_regex: '('", "tag_regex: '^v'"])(
    'is refused if it is %j',
    (text) => expect(() => readConfig(text)).toThrow(/Failed to generate the changelog|changelog/),
  );
});
