import fc from 'fast-check';

/** JSON that JavaScript objects cannot represent: too deep, or with reserved names. */
export class JsonText {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text.slice(0, 100);
  }
}

const nested = (depth: number) => new JsonText(`${'['.repeat(depth)}${']'.repeat(depth)}`);

/** Values that clients do not send, but attackers do. */
const known: unknown[] = [
  ...[null, true, false, '', ' ', 0, -1, 1.5, 1e300, -1e300, 2 ** 31, 2 ** 53, -(2 ** 63), 'NaN', '1e9', '0x10'],
  ...[[], {}, [[]], [null], [{}], [1, 'a', null], { a: { b: [1] } }, { length: 1e9 }, { toString: 1 }, { toJSON: 1 }],
  ...[
    { $gt: '' },
    { $ne: null },
    { $where: 'sleep(1000)' },
    { $regex: '(a+)+$' },
    '$gt',
    'a.b',
    '__proto__',
    'constructor',
  ],
  ...[new JsonText('{"__proto__":{"x":1}}'), new JsonText('{"constructor":{"prototype":{"x":1}}}'), nested(99)],
  ...[
    nested(12_000),
    nested(200_000),
    'a\0b',
    '\ud800',
    'x\udfff',
    '\u202e\u0007\u001b[31m',
    '\r\nX-Injected: 1',
    '😀'.repeat(300),
  ],
  ...['x'.repeat(300), 'x'.repeat(10_000), 'ä'.repeat(1_000_000), Array.from({ length: 5000 }, (_, at) => at)],
  ...[
    '../../etc/passwd',
    '..%2f..',
    '/',
    '.',
    '..',
    'a//b',
    '-',
    '--output=/tmp/x',
    '-x',
    '.git',
    'refs/heads/x',
    'HEAD',
  ],
  ...['HEAD~1', '@{-1}', '*', '[', '(', '(a+)+$', '%', '%zz', '%00', 'a b', "';--", '<script>', '#{7*7}', '{{7*7}}'],
  ...['2021-02-30', '99999-01-01', '0000-00-00', '9999-12-31T23:59:59-12:00', '@0', '* * * * * *', '*/0 * * * *'],
  ...[
    'http://127.0.0.1:1/',
    'http://[::1]/',
    'file:///etc/passwd',
    'ssh://-oProxyCommand=x/',
    'javascript:1',
    'https://a:b@c',
  ],
  ...['a@b', '@', '#', '!1', '#1', '/close', '/label ~x\n/assign @root', 'UTC+99', '0', '00', '+1', '١', 'None', 'Any'],
];

/** One value that is invalid for nearly every field, or valid for one and invalid for its neighbours. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...known) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

/** As JSON, as text where an object cannot represent it. */
export function jsonOf(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).filter(([, field]) => field !== undefined);
    return `{${pairs.map(([name, field]) => `${JSON.stringify(name)}:${jsonOf(field)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** As text in a path, query or form. */
export function textOf(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? jsonOf(value) : String(value);
  return text.slice(0, 4000).toWellFormed();
}
