import { commonErrors } from '@moothall/contracts';
import { changesOf, hashesAgain, hashesOf, isUntouched } from './changes';
import { SentForm } from './sent-form';

const first = { title: 'One', description: 'Text\r\nlines', labels: 'a,b' };
const sent = new SentForm({ was: hashesOf(first) });
const sentFirst = { ...first, description: 'Text\nlines' };

describe('the changes of a form', () => {
  it('are the fields that differ from those that were shown', () => {
    expect(changesOf(sent, sentFirst, first)).toEqual({});
    expect(changesOf(sent, { ...sentFirst, title: 'Two', labels: '' }, first)).toEqual({ title: 'Two', labels: '' });
  });

  it('leave alone what somebody else changed', () => {
    expect(changesOf(sent, { ...sentFirst, title: 'Two' }, { ...first, labels: 'a,b,c' })).toEqual({ title: 'Two' });
  });

  it('are refused where somebody else changed the same field, unless to the same', () => {
    const now = { ...sentFirst, title: 'Two', labels: 'c' };
    const current = { ...first, title: 'Three', labels: 'c' };
    let refusal: unknown;
    try {
      changesOf(sent, now, current);
    } catch (error) {
      refusal = error;
    }
    const message = { title: [expect.stringContaining('meanwhile')] };
    expect(refusal).toMatchObject({ code: commonErrors.conflict.code, value: { message } });
  });

  it('are not in fields that were sent as they were shown', () => {
    const was = hashesOf({ title: 'One', active: 'true', closed: 'false', labels: '' });
    const untouched = new SentForm({ was, title: 'One', active: '1', 'labels[]': [] });
    expect(['title', 'active', 'closed', 'labels', 'other'].map((field) => isUntouched(untouched, field))).toEqual([
      ...[true, true, false, false, false],
    ]);
    const touched = new SentForm({ was, title: 'Two', closed: '1' });
    expect(['title', 'active', 'closed'].map((field) => isUntouched(touched, field))).toEqual([false, false, false]);
  });

  it('that are sent again after a conflict replace the value in conflict, and no other', () => {
    const now = { ...sentFirst, title: 'Two' };
    const current = { title: 'Three', description: 'By another one', labels: 'c' };
    expect(() => changesOf(sent, now, current)).toThrow();
    const again = new SentForm({ was: hashesAgain(sent, current, (field) => field === 'title') });
    expect(changesOf(again, now, current)).toEqual({ title: 'Two' });
    expect(() => changesOf(again, now, { ...current, title: 'Four' })).toThrow();
  });

  it.each(['', 'null', '[]', '{', '"text"', '{"title":1}', '{"__proto__":{"title":"x"}}'])(
    'of a form with %j instead of hashes are none, or conflicts',
    (was) => {
      const changed = () => changesOf(new SentForm({ was }), { title: 'Two' }, first);
      if (was === '{"title":1}') expect(changed).toThrow(expect.objectContaining({ code: commonErrors.conflict.code }));
      else expect(changed()).toEqual({});
    },
  );
});
