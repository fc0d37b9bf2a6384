import { narrower, requireRoomFor, requireVisibilityWithin } from './visibility-rules';

describe('visibility', () => {
  it('is no wider in a group than the group’s, and free elsewhere', () => {
    const group = { kind: 'group', visibility: 'internal' } as const;
    expect(() => requireVisibilityWithin('internal', group)).not.toThrow();
    expect(() => requireVisibilityWithin('public', group)).toThrow(/public is not allowed in a internal group/);
    expect(() => requireVisibilityWithin('public', { kind: 'user', visibility: 'private' })).not.toThrow();
    expect(() => requireVisibilityWithin('public', null)).not.toThrow();
  });

  it('of a group leaves room for what is in it', () => {
    expect(() => requireRoomFor('internal', { project: 'internal', group: 'private' })).not.toThrow();
    expect(() => requireRoomFor('private', { project: 'internal', group: 'public' })).toThrow(/projects.*sub-groups/);
  });

  it('of two is the narrower one', () => {
    expect(narrower('public', 'internal')).toBe('internal');
    expect(narrower('private', 'public')).toBe('private');
  });
});
