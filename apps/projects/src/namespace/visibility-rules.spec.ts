import type { Visibility } from '@moothall/contracts';
import { isWider, narrower, requireRoomFor, requireUnrestricted, requireVisibilityWithin } from './visibility-rules';

describe('visibility', () => {
  it('is no wider in a group than the group’s, and free elsewhere', () => {
    const group = { kind: 'group', visibility: 'internal' } as const;
    expect(() => requireVisibilityWithin('internal', group)).not.toThrow();
    expect(() => requireVisibilityWithin('public', group)).toThrow(/public is not allowed in a internal group/);
    expect(() => requireVisibilityWithin('public', { kind: 'user', visibility: 'private' })).not.toThrow();
    expect(() => requireVisibilityWithin('public', null)).not.toThrow();
  });

  it('of a group is at least that of its content', () => {
    expect(() => requireRoomFor('internal', { project: 'internal', group: 'private' })).not.toThrow();
    expect(() => requireRoomFor('private', { project: 'internal', group: 'public' })).toThrow(/projects.*sub-groups/);
  });

  it('of two is the narrower one', () => {
    expect(narrower('public', 'internal')).toBe('internal');
    expect(narrower('private', 'public')).toBe('private');
    expect(isWider('internal', 'internal')).toBe(false);
  });

  it('can be restricted to administrators', () => {
    expect(() => requireUnrestricted('internal', ['public'], false)).not.toThrow();
    expect(() => requireUnrestricted('public', ['public'], true)).not.toThrow();
    expect(() => requireUnrestricted('public', ['public'], false)).toThrow(/public has been restricted/);
  });

  it('of a group: the error names the content that is more visible', () => {
    const problem = (project: Visibility, group: Visibility) => () => requireRoomFor('private', { project, group });
    expect(problem('public', 'private')).toThrow(
      /"private is not allowed since this group contains projects with[^,]*$/,
    );
    expect(problem('private', 'internal')).toThrow(/contains sub-groups with higher visibility\."\]\}$/);
    expect(problem('private', 'internal')).not.toThrow(/projects/);
  });
});
