import { mint, read } from './signed-token';

describe('ticket', () => {
  const args = { project: 7, path: 'a/b ü' };
  const ticket = mint('key', { name: 'archive', args }, 1000);

  it('contains its payload', () => {
    expect(read(['key'], ticket, 999)).toEqual({ name: 'archive', args });
  });

  it('contains the request for which it was signed', () => {
    const followed = { name: 'archive', args, origin: { requestId: 'r1' } };
    expect(read(['key'], mint('key', followed, 1000), 999)).toEqual(followed);
  });

  it('is nothing once it has expired', () => {
    expect(read(['key'], ticket, 1001)).toBeUndefined();
  });

  it('is nothing under another key', () => {
    expect(read(['other'], ticket, 999)).toBeUndefined();
  });

  it('may be signed under any key that is accepted', () => {
    expect(read(['other', 'key'], ticket, 999)).toEqual({ name: 'archive', args });
  });

  it.each(['', 'a', 'a/b/c', 'a/b/c/d/e', ticket.replace('archive', 'blob'), ticket.replace('/1000/', '/9000/')])(
    'is nothing when altered: %s',
    (altered) => {
      expect(read(['key'], altered, 999)).toBeUndefined();
    },
  );
});
