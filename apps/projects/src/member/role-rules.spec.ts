import { abilityNames } from '@moothall/contracts';
import { groupNamed, projectNamed } from '@moothall/testing';
import { isRoleOf, requireRoleGrantable, requireWhole } from './role-rules';
import { groupSource, projectSource } from './source';

describe('the abilities of a role', () => {
  it('are the requested ones, in the order of the interface', () => {
    expect(requireWhole({ remove_project: true, read_code: true, admin_web_hook: false })).toEqual([
      'read_code',
      'remove_project',
    ]);
  });

  it('are at least one', () => {
    expect(() => requireWhole({ read_code: false })).toThrow(expect.objectContaining({ code: 'member_role.empty' }));
  });

  it('include the abilities that they require', () => {
    expect(() => requireWhole({ admin_runners: true })).toThrow(
      expect.objectContaining({
        code: 'common.invalid_record',
        value: expect.objectContaining({
          message: { admin_runners: ['read_runners has to be enabled in order to enable admin_runners'] },
        }),
      }),
    );
    expect(requireWhole({ admin_runners: true, read_runners: true })).toHaveLength(2);
  });
});

it('a role is for members in its group and below, and one of the instance for all', () => {
  const project = projectSource(projectNamed('p', { groupIds: [7, 3] }));
  expect([3, 7, 4, null].map((groupId) => isRoleOf({ groupId }, project))).toEqual([true, true, false, true]);
  const group = groupSource(groupNamed('g', { id: 9, ancestorIds: [3] }));
  expect([9, 3, 4].map((groupId) => isRoleOf({ groupId }, group))).toEqual([true, true, false]);
});

describe('a user who assigns a role', () => {
  const grants = (source: Parameters<typeof requireRoleGrantable>[0], abilities: (typeof abilityNames)[number][]) => {
    try {
      requireRoleGrantable(source, { abilities });
      return true;
    } catch {
      return false;
    }
  };

  it('must have its abilities', () => {
    const maintainer = projectSource(projectNamed('p', { accessLevel: 40 }));
    expect(grants(maintainer, ['admin_web_hook', 'read_code'])).toBe(true);
    expect(grants(maintainer, ['admin_web_hook', 'remove_project'])).toBe(false);
    expect(grants({ ...maintainer, abilities: ['remove_project'] }, ['remove_project'])).toBe(true);
  });

  it('must have the level in the group that the group and its projects require', () => {
    const owner = groupSource(groupNamed('g', { accessLevel: 50 }));
    expect(grants(owner, [...abilityNames])).toBe(true);
    const maintainer = groupSource(groupNamed('g', { accessLevel: 40, abilities: ['admin_group_member'] }));
    expect(grants(maintainer, ['admin_integrations', 'admin_group_member'])).toBe(true);
    expect(grants(maintainer, ['admin_web_hook'])).toBe(false);
    expect(grants(maintainer, ['archive_project'])).toBe(false);
  });
});
