import { mentionsIn } from './mentions';

const all = (text: string) => [...mentionsIn(text).all];
const addressed = (text: string) => [...mentionsIn(text).addressed];

it.each([
  ['Ask @mia, or @Jo.', ['mia', 'jo']],
  ['(@mia) @mia', ['mia']],
  ['@a.b-c_d', ['a.b-c_d']],
  ['mia@example.com, x/@mia, @@mia, @group/project', []],
  ['`@mia` and ```\n@jo\n``` but @eve', ['eve']],
  ['> @mia said\nNo, @jo', ['jo']],
  ['@', []],
  ['nobody', []],
])('%j names %j', (text, names) => expect(all(text)).toEqual(names));

it.each([
  ['@mia look', ['mia']],
  ['  @mia, @jo and @eve: look', ['mia', 'jo', 'eve']],
  ['Look, @mia', []],
  ['look @mia\n@jo too', []],
])('%j speaks to %j', (text, names) => expect(addressed(text)).toEqual(names));

it('reads no more than a hundred names', () => {
  const crowd = Array.from({ length: 300 }, (_, at) => `@user${at}`).join(' ');
  expect(all(crowd)).toHaveLength(100);
});
