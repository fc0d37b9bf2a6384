import { Access } from '@moothall/contracts';
import { groupNamed, projectNamed } from '@moothall/testing';
import {
  requireGrantable,
  requireInFuture,
  requireListed,
  requireNotBelowInherited,
  requireNotOwner,
  requireRemovable,
} from './level-rules';
import { groupSource, projectSource } from './source';

const { Guest, Developer, Maintainer, Owner } = Access;
const inProject = (accessLevel: number) => projectSource(projectNamed('p', { accessLevel: accessLevel as never }));
const inGroup = (accessLevel: number) => groupSource(groupNamed('g', { accessLevel: accessLevel as never }));

describe('levels', () => {
  it('are those listed: owners are of groups', () => {
    expect(() => requireListed(inProject(Guest), Maintainer)).not.toThrow();
    expect(() => requireListed(inGroup(Guest), Owner)).not.toThrow();
    expect(() => requireListed(inProject(Guest), Owner)).toThrow('member.level_not_listed');
    expect(() => requireListed(inProject(Guest), 15)).toThrow('member.level_not_listed');
  });

  it('are granted up to one’s own', () => {
    expect(() => requireGrantable(Maintainer, Maintainer)).not.toThrow();
    expect(() => requireGrantable(Maintainer, Guest)).not.toThrow();
    expect(() => requireGrantable(Maintainer, Owner)).toThrow('common.forbidden');
  });

  it('of the owner of the namespace cannot be changed', () => {
    expect(() => requireNotOwner({ ownerId: 1 }, 2)).not.toThrow();
    expect(() => requireNotOwner({}, 2)).not.toThrow();
    expect(() => requireNotOwner({ ownerId: 1 }, 1)).toThrow('common.forbidden');
  });

  it('add to those from above', () => {
    const inherited = { level: Developer, groupName: 'Tools' };
    expect(() => requireNotBelowInherited(undefined, Guest)).not.toThrow();
    expect(() => requireNotBelowInherited(inherited, Developer)).not.toThrow();
    expect(() => requireNotBelowInherited(inherited, Guest)).toThrow(
      'should be greater than or equal to Developer inherited membership from group Tools',
    );
  });

  it.each([
    ['2026-01-02', false],
    ['2026-01-01', false],
    ['2025-12-31', true],
    [null, false],
    [undefined, false],
    ['', false],
  ])('that end on %s are refused on 2026-01-01: %s', (expiresAt, isRefused) => {
    const given = () => requireInFuture(expiresAt, '2026-01-01');
    if (isRefused) expect(given).toThrow('cannot be a date in the past');
    else expect(given).not.toThrow();
  });

  it.each([
    ['project', Maintainer, Developer, true],
    ['project', Maintainer, Maintainer, true],
    ['project', Maintainer, Owner, false],
    ['project', Developer, Guest, false],
    ['group', Maintainer, Guest, false],
    ['group', Owner, Owner, true],
  ] as const)('in a %s: level %i removes level %i: %s', (kind, own, theirs, isAllowed) => {
    const source = kind === 'project' ? inProject(own) : inGroup(own);
    const remove = (callerId: number) => () => requireRemovable(source, { userId: 2, accessLevel: theirs }, callerId);
    if (isAllowed) expect(remove(1)).not.toThrow();
    else expect(remove(1)).toThrow('common.forbidden');
    // A member may always leave.
    expect(remove(2)).not.toThrow();
  });
});
