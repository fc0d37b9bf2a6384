import { snippetLimitBytes } from '@moothall/contracts';
import { filesAfter, firstFiles } from './snippet-files';

const a = { path: 'a.txt', content: 'a' };
const b = { path: 'src/b.txt', content: 'b' };

const refusal = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return (error as { value: { message: { error: string } } }).value.message.error;
  }
  return undefined;
};

describe('files of a snippet', () => {
  it('begin with one file by name, or with several', () => {
    expect(firstFiles({ file_name: 'a.txt', content: 'a' })).toEqual([a]);
    expect(
      firstFiles({
        files: [
          { file_path: 'a.txt', content: 'a' },
          { file_path: 'src/b.txt', content: 'b' },
        ],
      }),
    ).toEqual([a, b]);
  });

  it('change one by one, in the given order', () => {
    const files = filesAfter([a, b], {
      files: [
        { action: 'move', previous_path: 'a.txt', file_path: 'c.txt' },
        { action: 'create', file_path: 'a.txt', content: 'new' },
        { action: 'update', file_path: 'a.txt', content: 'newer' },
        { action: 'delete', file_path: 'src/b.txt' },
      ],
    });
    expect(files).toEqual([
      { path: 'c.txt', content: 'a' },
      { path: 'a.txt', content: 'newer' },
    ]);
  });

  it('keep their values if file_name or content is missing', () => {
    expect(filesAfter([a], { content: 'x' })).toEqual([{ path: 'a.txt', content: 'x' }]);
    expect(filesAfter([a], { file_name: 'x' })).toEqual([{ path: 'x', content: 'a' }]);
    expect(filesAfter([a], {})).toEqual([a]);
  });

  it.each(['../a', '/a', 'a//b', 'a/./b', 'a/', 'a\nb', 'a\\b'])('are refused under the path %j', (path) => {
    expect(refusal(() => firstFiles({ file_name: path, content: 'a' }))).toMatch(/^Invalid file name/);
  });

  it('are refused if a change is contradictory', () => {
    const change = (files: Parameters<typeof filesAfter>[1]['files']) => refusal(() => filesAfter([a, b], { files }));
    expect(change([{ action: 'create', file_path: 'a.txt', content: 'x' }])).toMatch(/already exists/);
    expect(change([{ action: 'update', file_path: 'none', content: 'x' }])).toMatch(/doesn't exist/);
    expect(change([{ action: 'move', file_path: 'c' }])).toMatch(/doesn't exist/);
    expect(change([{ action: 'update', file_path: 'a.txt' }])).toMatch(/content is missing/);
    expect(change([{ action: 'delete' }])).toMatch(/file_path is missing/);
    expect(
      change([
        { action: 'delete', file_path: 'a.txt' },
        { action: 'delete', file_path: 'src/b.txt' },
      ]),
    ).toMatch(/needs a file/);
    expect(refusal(() => filesAfter([a, b], { content: 'x' }))).toMatch(/must use the `files` parameter/);
  });

  it('are refused if they are too many or too large', () => {
    const many = Array.from({ length: 11 }, (_, at) => ({ file_path: `${at}`, content: 'x' }));
    expect(refusal(() => firstFiles({ files: many }))).toMatch(/Too many files/);
    const half = 'ä'.repeat(snippetLimitBytes / 4);
    const large = [1, 2, 3].map((at) => ({ file_path: `${at}`, content: half }));
    expect(refusal(() => firstFiles({ files: large }))).toMatch(/Content is too long/);
  });
});
