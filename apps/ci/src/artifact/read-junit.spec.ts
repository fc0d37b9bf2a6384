import { readJunit } from './read-junit';

const bounds = { bytes: 100_000, cases: 100 };

/** In pieces of a few bytes, which letters and tags are cut by. */
async function* pieces(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}
const read = (text: string, over = bounds) => readJunit(pieces(text), over);

it('reads cases with how they ended', async () => {
  const cases = await read(`<?xml version="1.0"?>
<testsuites><testsuite name="s">
  <testcase name="adds ä" classname="Sum" file="sum.ts" time="1,000.5"><system-out>noise</system-out></testcase>
  <testcase name="breaks"><failure message="expected 1">got &lt;2&gt;<![CDATA[ & more]]></failure></testcase>
  <testcase name="dies" time="x"><error>no memory</error></testcase>
  <testcase name="waits"><skipped/></testcase>
</testsuite></testsuites>`);
  expect(cases).toEqual([
    { name: 'adds ä', classname: 'Sum', file: 'sum.ts', status: 'success', seconds: 1000.5, output: null },
    expect.objectContaining({ name: 'breaks', status: 'failed', output: 'expected 1\ngot <2>\n & more' }),
    expect.objectContaining({ name: 'dies', status: 'error', seconds: 0, output: 'no memory' }),
    expect.objectContaining({ name: 'waits', status: 'skipped', output: '' }),
  ]);
});

it('reads several reports one after another, as runners pack them', async () => {
  const one = (name: string) => `<?xml version="1.0"?>\n<testsuite><testcase name="${name}"/></testsuite>\n`;
  expect((await read(one('a') + one('b'))).map(({ name }) => name)).toEqual(['a', 'b']);
  expect(await read('')).toEqual([]);
});

const billion = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>`;

it.each([
  ['what declares entities', `${billion}<testsuite><testcase name="&b;"/></testsuite>`, 'doctype'],
  ['what declares a file to be read', '<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>', 'doctype'],
  ['entities that nobody declared', '<testsuite><testcase name="&b;"/></testsuite>', 'entity'],
  ['what is no XML', '{"tests": 1}<', ''],
  ['tags that end elsewhere', '<testsuite><testcase></testsuite>', 'tag'],
  ['what ends the root that it stands in', '</reports><reports>', ''],
  ['what ends too early', '<testsuite><testcase name="a">', ''],
  ['more cases than there may be', `<s>${'<testcase/>'.repeat(101)}</s>`, 'more than 100 test cases'],
  ['what is larger than it may be', `<s>${' '.repeat(100_000)}</s>`, 'larger than 100000 bytes'],
  ['what is nested too deep', '<a>'.repeat(101), 'nested too deep'],
  ['an attribute without end', `<s a="${'x'.repeat(90_000)}`, ''],
])('refuses %s', async (_what, text, said) => {
  const problem = await read(text).then(
    () => undefined,
    (error: Error) => error,
  );
  expect(problem?.name).toBe('UnreadableReport');
  expect(problem?.message.toLowerCase()).toContain(said);
});

it('stores only as much of texts as is shown, and resolves tag names', async () => {
  const long = 'x'.repeat(50_000);
  const [found] = await read(`<s><testcase name="${long}"><failure>${long}</failure></testcase></s>`, {
    ...bounds,
    bytes: 200_000,
  });
  expect([found!.name.length, found!.output!.length]).toEqual([1_000, 4_000]);
  const [odd] = await read('<s><testcase name="a"><constructor/><__proto__/></testcase></s>');
  expect(odd).toMatchObject({ status: 'success' });
});
