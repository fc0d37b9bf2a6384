import { isDraftTitle, withDraft, withoutDraft } from './draft';

describe('title of a draft', () => {
  it.each(['Draft: a', 'draft:a', 'WIP: a', '[WIP] a', '[Draft] a', '(Draft) a', 'Draft: WIP: a'])('is %s', (title) => {
    expect(isDraftTitle(title)).toBe(true);
    expect(withoutDraft(title)).toBe('a');
    expect(withDraft(title)).toBe(title);
  });

  it.each(['a', 'Drafting', 'Wipe', 'a Draft: b', 'draft'])('is not %s', (title) => {
    expect(isDraftTitle(title)).toBe(false);
    expect(withoutDraft(title)).toBe(title);
    expect(withDraft(title)).toBe(`Draft: ${title}`);
  });
});
