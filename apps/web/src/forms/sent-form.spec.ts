import { SentForm } from './sent-form';

describe('a sent form', () => {
  it('has texts with line feeds, lists, and nothing else', () => {
    const sent = new SentForm({ text: 'a\r\nb\rc', list: ['1', 2, null, '3'], nested: { a: '1' }, 'labels[]': 'x' });
    expect(sent.text('text')).toBe('a\nb\rc');
    expect(sent.list('list')).toEqual(['1', '3']);
    for (const absent of ['list', 'nested', 'none', 'constructor']) expect(sent.text(absent)).toBe('');
    for (const absent of ['text', 'nested', 'none']) expect(sent.list(absent)).toEqual([]);
  });

  it('is known by its name, and by its record', () => {
    expect(new SentForm({ form: 'reply', of: 'a' }).is('reply', 'a')).toBe(true);
    expect(new SentForm({ form: 'reply', of: 'a' }).is('reply')).toBe(false);
    expect(new SentForm({ form: 'comment' }).is('comment')).toBe(true);
  });

  it('has values that the user did not see', () => {
    expect(new SentForm({ given: { sha: 'a', list: ['b'] } }).given('sha')).toBe('a');
    for (const given of [{ list: ['b'] }, { sha: 1 }, 'sha', null, ['a'], undefined])
      expect(new SentForm({ given }).given('sha')).toBe('');
    expect(new SentForm({ given: {} }).given('constructor')).toBe('');
  });

  it('has the files that were chosen', () => {
    const sent = new SentForm({ logo: 'x' }, { avatar: { ticket: 'signed', sha256: 'a' } });
    expect(sent.file('avatar')).toEqual({ ticket: 'signed' });
    for (const absent of ['logo', 'constructor']) expect(sent.file(absent)).toBeUndefined();
  });

  it('is the same with the same bytes in another upload, and no other', () => {
    const textOf = (ticket: string, sha256: string) => JSON.stringify(new SentForm({}, { avatar: { ticket, sha256 } }));
    expect(textOf('first', 'a')).toBe(textOf('second', 'a'));
    expect(textOf('first', 'a')).not.toBe(textOf('first', 'b'));
  });

  it('repeats what was typed, without its own fields and without secrets', () => {
    const sent = new SentForm({
      csrf: 'c',
      token: 't',
      form: 'f',
      of: 'o',
      was: '{}',
      title: 'One',
      secret_token: 'hidden',
      body: '',
      squash: '1',
      given: { sha: 'a' },
      x: ['y'],
    });
    expect(sent.typed()).toEqual([['title', 'One']]);
  });
});
