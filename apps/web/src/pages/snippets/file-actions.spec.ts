import { invalidRecord } from '@moothall/contracts';
import { actionsOf, newFilesOf } from './file-actions';
import type { SentSlot } from './file-slots';

const slot = (number: number, over: Partial<SentSlot> = {}): SentSlot => ({
  ...{ number, path: '', name: '', content: '', isRemoved: false },
  ...over,
});
const file = (path: string, text = 'x') => ({ path, text, is_whole: true });
const problemsOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return (error as ReturnType<typeof invalidRecord>).value.message;
  }
};
const blank = ["can't be blank"];

describe('the files of a new snippet', () => {
  it('are those of filled slots', () => {
    const slots = [slot(1, { name: 'a', content: 'A' }), slot(2), slot(3, { name: 'c', content: 'C' })];
    expect(newFilesOf(slots)).toEqual([
      { file_path: 'a', content: 'A' },
      { file_path: 'c', content: 'C' },
    ]);
  });

  it('are at least one, and have names and contents', () => {
    expect(problemsOf(() => newFilesOf([slot(1), slot(2)]))).toEqual({ name_1: blank, content_1: blank });
    const incomplete = [slot(1, { name: 'a', content: 'A' }), slot(2, { name: 'b' }), slot(3, { content: 'C' })];
    expect(problemsOf(() => newFilesOf(incomplete))).toEqual({ content_2: blank, name_3: blank });
  });
});

describe('the actions of a changed snippet', () => {
  it('are none for unchanged files', () => {
    expect(actionsOf([slot(1, { path: 'a', name: 'a', content: 'x' })], {}, [file('a')])).toEqual([]);
  });

  it('change, remove and create files', () => {
    const slots = [
      slot(1, { path: 'a', name: 'a', content: 'new\n' }),
      slot(2, { path: 'b', isRemoved: true }),
      slot(3, { name: 'b', content: 'again' }),
    ];
    const changes = { content_1: 'new\n', name_2: '', content_2: '', name_3: 'b', content_3: 'again' };
    expect(actionsOf(slots, changes, [file('a', 'old\r\n'), file('b')])).toEqual([
      { action: 'delete', file_path: 'b' },
      { action: 'update', file_path: 'a', content: 'new\r\n' },
      { action: 'create', file_path: 'b', content: 'again' },
    ]);
  });

  it('let files exchange their names', () => {
    const slots = [slot(1, { path: 'a', name: 'b', content: 'A' }), slot(2, { path: 'b', name: 'a', content: 'B2' })];
    const actions = actionsOf(slots, { name_1: 'b', name_2: 'a', content_2: 'B2' }, [file('a', 'A'), file('b', 'B')]);
    const [one, two] = actions.slice(0, 2).map(({ file_path }) => file_path);
    expect(actions).toEqual([
      { action: 'move', previous_path: 'a', file_path: one },
      { action: 'move', previous_path: 'b', file_path: two },
      { action: 'move', previous_path: one, file_path: 'b' },
      { action: 'move', previous_path: two, file_path: 'a', content: 'B2' },
    ]);
    expect(new Set([one, two, 'a', 'b']).size).toBe(4);
  });

  it('create a file again that somebody else removed', () => {
    const slots = [slot(1, { path: 'a', name: 'a', content: 'typed' }), slot(2, { path: 'b', isRemoved: true })];
    expect(actionsOf(slots, { name_1: 'a', content_1: 'typed', name_2: '', content_2: '' }, [file('c')])).toEqual([
      { action: 'create', file_path: 'a', content: 'typed' },
    ]);
  });

  it('are refused without a name or a content, unless the content stays', () => {
    const stays = [slot(1, { path: 'a', name: 'b' })];
    expect(actionsOf(stays, { name_1: 'b' }, [file('a')])).toHaveLength(2);
    const slots = [slot(1, { path: 'a' }), slot(2, { name: 'b' }), slot(3, { path: 'c', name: 'c' })];
    const changes = { name_1: '', content_1: '', name_2: 'b', content_3: '' };
    expect(problemsOf(() => actionsOf(slots, changes, [file('a'), file('c')]))).toEqual({
      ...{ name_1: blank, content_1: blank },
      ...{ content_2: blank, content_3: blank },
    });
  });
});
