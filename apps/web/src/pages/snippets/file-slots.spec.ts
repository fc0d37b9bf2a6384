import { SentForm } from '../../forms/sent-form';
import { sentSlots, sentSlotValues, slotsOf, slotValues } from './file-slots';

const files = [
  { path: 'a', text: 'A', is_whole: true },
  { path: 'large', text: 'L', is_whole: false },
  { path: 'binary', text: '\0', is_whole: true },
];

describe('the slots of files', () => {
  it('have the files, and are empty up to the limit', () => {
    const slots = slotsOf(files);
    expect(slots.map(({ path, content }) => [path, content]).slice(0, 4)).toEqual([
      ...[
        ['a', 'A'],
        ['large', undefined],
        ['binary', undefined],
      ],
      ['', ''],
    ]);
    expect(slots).toHaveLength(10);
    expect(Object.keys(slotValues(slots))).not.toContain('content_2');
  });

  it('of a sent form stay the same, whatever files are there now', () => {
    const sent = new SentForm({ given: { file_1: 'gone', file_2: 'a' }, content_1: 'typed' });
    expect(slotsOf(files, sent).slice(0, 3)).toEqual([
      { number: 1, path: 'gone', name: '', content: '' },
      { number: 2, path: 'a', name: 'a', content: 'A' },
      { number: 3, path: '', name: '', content: '' },
    ]);
  });

  it('show what was typed for a file that has become too large', () => {
    const sent = new SentForm({ given: { file_1: 'large' }, content_1: 'typed' });
    expect(slotsOf(files, sent)[0]).toMatchObject({ path: 'large', content: 'L' });
  });

  it('have no values for a removed file', () => {
    const sent = new SentForm({ given: { file_1: 'a' }, name_1: 'a', content_1: 'A', remove_1: '1', name_2: 'b' });
    expect(sentSlotValues(sentSlots(sent))).toMatchObject({ name_1: '', content_1: '', name_2: 'b' });
  });
});
