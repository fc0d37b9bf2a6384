import { cutTexts } from './cut-texts';

describe('cutting the texts of an answer', () => {
  it('cuts each text, also in lists and objects, and changes nothing else', () => {
    const answer = { title: 'abcdef', notes: [{ body: 'ghijkl', id: 1234567 }], at: new Date(0), none: null };
    expect(cutTexts(answer, 3)).toEqual({
      title: 'abc',
      notes: [{ body: 'ghi', id: 1234567 }],
      at: new Date(0),
      none: null,
    });
  });

  it('leaves the given answer as it was', () => {
    const answer = { title: 'abcdef' };
    cutTexts(answer, 3);
    expect(answer).toEqual({ title: 'abcdef' });
  });
});
