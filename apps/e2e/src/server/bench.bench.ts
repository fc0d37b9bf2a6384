import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

jest.setTimeout(300_000);

const root = path.resolve(__dirname, '../../../..');
const kept = path.join(root, 'test-output/figures.json');
const readKept = () => existsSync(kept) && readFileSync(kept, 'utf8');

/** The benchmarks must keep working. Their figures depend on the machine. */
describe('npm run bench -- --short', () => {
  let peers: Promise<string> | undefined;

  it('measures each call of the mix beside the others and alone, without failures, and stores no figures', async () => {
    const before = readKept();
    const rows = rowsOf(await bench('--short', 'mix'));
    const figures = rows.map(([figure = '']) => figure);
    const alone = figures.filter((figure) => figure.endsWith(' alone, 16 at a time'));
    expect(alone).toHaveLength(15);
    const together = figures.filter((figure) => figure.startsWith('mix at 50/s: '));
    // A call with a share of one percent may not occur in so short a time.
    expect(together.length).toBeGreaterThan(10);
    const all = rows.filter(([figure = '']) => figure.startsWith('mix at 50/s for 3 s'));
    expect(all).toEqual([
      [expect.any(String), expect.stringMatching(/^\d+, \d+, \d+ ms$/), ...Array(4).fill(expect.anything())],
    ]);
    for (const [, measured = '', floor = '', ratio = ''] of rows.filter(([figure = '']) => alone.includes(figure))) {
      expect([measured, floor]).toEqual([
        expect.stringMatching(/^[1-9]\d*\/s$/),
        expect.stringMatching(/^[1-9]\d*\/s$/),
      ]);
      expect(ratio).toMatch(/^\d+\.\d\d$/);
    }
    expect(readKept()).toBe(before);
  });

  it('measures lists, counts and searches with ten and a hundred times as many records', async () => {
    const rows = rowsOf(await bench('--short', 'growth')).filter(([figure = '']) =>
      figure.endsWith(', of 10, 100, 1000'),
    );
    expect(rows.map(([figure]) => figure!.split(',')[0])).toEqual(
      expect.arrayContaining(['labels: page', 'labels: search', 'todos: page', 'todos: of a project']),
    );
    for (const [, measured, floor, ratio] of rows) {
      expect(measured).toMatch(/^\d+\.\d ms, \d+\.\d ms; on the clock \d+\.\d ms$/);
      expect(floor).toMatch(/^\d+\.\d ms$/);
      expect(Number(ratio)).toBeGreaterThan(0);
    }
  });

  it('measures pages, alone and beside the mix, without failures', async () => {
    const rows = rowsOf(await bench('--short', 'pages'));
    for (const figure of [
      'pages at 20/s for 3 s: p50',
      'pages at 20/s beside the mix at 30/s: p50',
      'mix at 30/s beside',
    ])
      expect(rows.find(([name = '']) => name.startsWith(figure))).toEqual([
        ...[expect.anything(), expect.stringMatching(/^\d+, \d+, \d+ ms$/)],
        ...Array(4).fill(expect.anything()),
      ]);
  });

  it('divides the time of each call of the mix between the parts of its trace', async () => {
    const rows = rowsOf(await bench('--short', 'traces')).filter(([figure = '']) => figure.includes(' with traces: '));
    expect(rows).toHaveLength(15);
    for (const [figure, measured = ''] of rows) {
      const [, of, all] = /^([\d., ]+); ([\d.]+) ms$/.exec(measured)!;
      const [gateway, nats] = of!.split(', ').map(Number);
      expect([figure, gateway! > 0, nats! > 0, Number(all) >= gateway!]).toEqual([figure, true, true, true]);
    }
  });

  it.each([
    ['cgit', 5],
    ['Redmine', 26],
  ])('sends %s the calls that both have, unless it cannot be installed', async (peer, calls) => {
    peers ??= bench('--short', 'peer');
    const rows = rowsOf(await peers);
    const compared = rows.filter(([figure = '']) => figure.endsWith(`, 16 at a time, against ${peer}`));
    const isMissing = rows.some(
      ([figure = '', value = '']) => figure.startsWith(peer) && value.startsWith('not measured'),
    );
    expect(compared).toHaveLength(isMissing ? 0 : calls);
    for (const [figure, ours = '', theirs = ''] of compared) {
      const rate = expect.stringMatching(/^[1-9]\d*\/s, p99 \d+ ms, \d+ MB$/);
      expect([figure, ours, theirs]).toEqual([figure, rate, rate]);
    }
  });
});

async function bench(...args: string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [path.join(root, 'tools/bench.mjs'), ...args], { cwd: root });
  return (await run).stdout;
}

/** Cells of a Markdown table, without its head. */
const rowsOf = (output: string): string[][] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
