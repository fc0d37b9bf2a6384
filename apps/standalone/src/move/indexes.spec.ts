import { type IndexSpec, missingOf, removes } from './indexes';

const index = (name: string, more: object): IndexSpec => ({ v: 2, name, key: { a: 1, b: -1 }, ...more });

describe('indexes', () => {
  it('match with the fields that a server adds', () => {
    const wanted = index('one', { unique: true, sparse: false, collation: { locale: 'en', strength: 2 } });
    const there = index('one', { unique: true, collation: { locale: 'en', strength: 2, version: '57.1' } });
    expect(missingOf([wanted], [there])).toEqual([]);
  });

  it('are missing if they do not exist or differ', () => {
    const wanted = index('one', { unique: true, partialFilterExpression: { state: { $in: [1, 2] } } });
    for (const other of [
      { ...wanted, name: 'two' },
      { ...wanted, unique: false },
      { ...wanted, key: { b: -1, a: 1 } },
      { ...wanted, partialFilterExpression: { state: { $in: [1, 3] } } },
      index('one', {}),
    ])
      expect(missingOf([wanted], [other])).toEqual(['one']);
    expect(missingOf([wanted], [])).toEqual(['one']);
  });

  it('delete documents if they have a TTL', () => {
    expect([removes(index('one', {})), removes(index('one', { expireAfterSeconds: 0 }))]).toEqual([false, true]);
  });
});
