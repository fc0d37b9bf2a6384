import { either, readWanted, type Wanted } from './read-wanted';
import { ReportRefused } from './report-refused';

const limits = { documents: 1, depth: 10, textLength: 100 };

/** In chunks of every size, so that each token is split somewhere. */
async function readAll(text: string, wanted: Wanted = 'all', documents = 1) {
  const bytes = Buffer.from(text);
  let last: unknown[] = [];
  for (const size of [1, 2, 3, 7, bytes.length || 1]) {
    const pieces = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    last = [];
    for await (const document of readWanted(pieces(), wanted, { ...limits, documents })) last.push(document);
  }
  return JSON.parse(JSON.stringify(last));
}

const read = async (text: string, wanted?: Wanted) => (await readAll(text, wanted))[0];

describe('a document that is read as a stream', () => {
  it.each([
    '{}',
    '[]',
    'null',
    '"a\\u00e9\\n\\ud83d\\ude00😀"',
    '-1.5e3',
    '{"a":[1,{"b":[]},null,true,false],"c":{"d":"e"}}',
    ' [ 1 , 2 ] ',
    '{"":{"":""}}',
  ])('is parsed as JSON: %s', async (text) => expect(await read(text)).toEqual(JSON.parse(text)));

  it.each([
    '',
    ' ',
    '{',
    '[1,',
    '[1,]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    '[1 2]',
    '[}',
    '{]',
    '[]]',
    '{} {}',
    '"a',
    '01',
    'nul',
    "'a'",
    '[1,,2]',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '\u{feff}\u{feff}{}',
    '<xml/>',
  ])('is refused if it is invalid: %j', async (text) => {
    expect(() => JSON.parse(text)).toThrow();
    await expect(read(text)).rejects.toThrow(ReportRefused);
  });

  it('is stored only as far as it is needed', async () => {
    const wanted: Wanted = { fields: { a: { each: { fields: { b: 'all' } } }, c: 'all' } };
    const text = '{"a":[{"b":1,"x":[[[]]]},{"b":{"y":2}},3],"c":[4],"d":{"a":5}}';
    expect(await read(text, wanted)).toEqual({ a: [{ b: 1 }, { b: { y: 2 } }, 3], c: [4] });
  });

  it('names nothing that objects have anyway', async () => {
    const chunks = async function* () {
      yield Buffer.from('{"__proto__":{"polluted":true},"constructor":1}');
    };
    const { value: found } = await readWanted(chunks(), 'all', limits).next();
    expect(Object.getPrototypeOf(found)).toBeNull();
    expect(Object.keys(found)).toEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  });

  it('is refused beyond its limits', async () => {
    await expect(read('['.repeat(11))).rejects.toThrow('nested more than 10 levels');
    await expect(read(`[${'{"a":'.repeat(10)}`, {})).rejects.toThrow('nested more than 10 levels');
    await expect(read(`"${'a'.repeat(101)}"`)).rejects.toThrow('a text of more than 100 characters');
    await expect(read(`{"${'a'.repeat(101)}":1}`, {})).rejects.toThrow('a text of more than 100 characters');
    // Skipped values may have any length.
    expect(await read(`{"x":"${'a'.repeat(1000)}"}`, {})).toEqual({});
    await expect(read('[1,2,3]', { most: 2 })).rejects.toThrow('a list of more than 2');
  });

  it.each([
    ['{"a":1}{"b":2}', [{ a: 1 }, { b: 2 }]],
    ['{} \n{}\n', [{}, {}]],
  ])('may be followed by others, as far as they are needed: %j', async (text, documents) =>
    expect(await readAll(text, 'all', 2)).toEqual(documents),
  );

  it.each(['{}{', '{},{}', '{}[]', '{}1', '[{}{}]', '{}{}x'])('must not be followed by other text: %j', (text) =>
    expect(readAll(text, 'all', 2)).rejects.toThrow('it is not JSON'),
  );

  it('is followed by no more than may', async () => {
    await expect(readAll('{}{}{}', 'all', 2)).rejects.toThrow('it has more than 2 documents');
  });

  it('is wanted for either reason', () => {
    const one: Wanted = { fields: { a: 'all', b: { most: 2, each: { fields: { c: 'all' } } } } };
    const other: Wanted = { fields: { b: { most: 2, each: { fields: { d: 'all' } } }, e: {} } };
    expect(either(one, other)).toEqual({
      fields: { a: 'all', b: { most: 2, fields: {}, each: { fields: { c: 'all', d: 'all' } } }, e: {} },
    });
  });
});
