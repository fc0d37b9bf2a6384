import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/* Rules of docs/testing.md for files of `npm test`, as far as they can be checked in the text. */

const root = path.resolve(__dirname, '../../..');
const files = ['apps', 'libs'].flatMap((kind) =>
  readdirSync(path.join(root, kind)).flatMap((name) =>
    ['src', 'test'].flatMap((folder) => testsIn(`${kind}/${name}/${folder}`)),
  ),
);

function testsIn(folder: string): string[] {
  try {
    const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
    return names.filter((name) => /\.(spec|e2e)\.tsx?$/.test(name)).map((name) => `${folder}/${name}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

interface Rule {
  what: string;
  pattern: RegExp;
  /** Exceptions, with the reason. */
  except?: Record<string, string>;
}

const rules: Rule[] = [
  {
    what: 'kills, or starts replicas: name the file *.chaos.ts',
    pattern: /SIGKILL|SIGSTOP|\.restart\('(nats|redis)'\)|startTwoReplicas|prepareReplicas/,
    except: { 'apps/e2e/src/delivery/packages.e2e.ts': 'it kills its own curl, and waits for its end' },
  },
  { what: 'fills a disk: name the file *.chaos.ts', pattern: /SmallDisk/ },
  { what: 'measures: name the file *.chaos.ts', pattern: /performance\.now\(|cpuUsage\(|hrtime/ },
  { what: 'asserts what time it is: compare with a time that the product gave', pattern: /expect\(.*Date\.now\(\)/ },
  {
    what: 'sleeps: wait for the state, with `eventually` or `until`',
    // In a polling loop it is the pause between two checks.
    pattern: /(?<!(?:while \(|for \(;;\)|for \(const patience )[^\n]*(?:\n[^\n]*){0,5})(?<!\.)\bsetTimeout\(/,
  },
  {
    what: 'sleeps: wait for the state, with `eventually` or `until`',
    pattern: /setTimeout[^\n]* from 'node:timers\/promises'/,
    except: { 'libs/tracing/src/works.spec.ts': 'it takes longer than a bound of one millisecond' },
  },
];

it('finds the files', () => {
  expect(files.length).toBeGreaterThan(400);
});

it.each(rules)('no file of npm test $what', ({ pattern, except = {} }) => {
  const own = path.relative(root, __filename);
  const found = files.filter((file) => file !== own && pattern.test(readFileSync(path.join(root, file), 'utf8')));
  expect(found).toEqual(Object.keys(except));
});
