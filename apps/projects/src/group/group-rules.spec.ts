import { Access } from '@moothall/contracts';
import { groupNotSaved, groupSettingsOf, requireValidGroup, subgroupLevel } from './group-rules';

describe('a group', () => {
  it('has all problems in one text', () => {
    expect(groupNotSaved({ name: ["can't be blank"], path: ['a', 'b'] }).message).toContain(
      JSON.stringify('Failed to save group {:name=>["can\'t be blank"], :path=>["a", "b"]}'),
    );
  });

  it.each([
    [{ name: 'Tools', path: 'tools' }, true, undefined],
    [{}, true, undefined],
    [{}, true, 'x'.repeat(500)],
    [{}, true, null],
    [{}, true, ''],
    [{ path: 'api' }, false, undefined],
  ])('%j (at the root: %s) is well', (names, isAtRoot, description) => {
    expect(() => requireValidGroup(names, isAtRoot, description)).not.toThrow();
  });

  it.each([
    [{ name: '', path: 'tools' }, true, undefined, ':name=>[\\"can\'t be blank\\"]}'],
    [{ path: 'api' }, true, undefined, '{:path=>[\\"api is a reserved name\\"]}'],
    [{}, true, 'x'.repeat(501), '{:description=>[\\"is too long (maximum is 500 characters)\\"]}'],
  ])('%j (at the root: %s) is refused: %#', (names, isAtRoot, description, text) => {
    expect(() => requireValidGroup(names, isAtRoot, description)).toThrow(text);
  });

  it('has the given settings, and no other fields', () => {
    const input = { lfs_enabled: false, request_access_enabled: undefined, name: 'Tools' };
    expect(groupSettingsOf(input)).toEqual({ lfs_enabled: false });
    expect(groupSettingsOf({ emails_enabled: true })).toEqual({ emails_disabled: false });
    expect(groupSettingsOf({ emails_enabled: false })).toEqual({ emails_disabled: true });
    expect(groupSettingsOf({ emails_disabled: true })).toEqual({ emails_disabled: true });
    expect(groupSettingsOf({ lfs_enabled: undefined })).toStrictEqual({});
  });

  it('has subgroups of its owners, or of maintainers as well', () => {
    expect(subgroupLevel({ subgroup_creation_level: 'owner' } as never)).toBe(Access.Owner);
    expect(subgroupLevel({ subgroup_creation_level: 'maintainer' } as never)).toBe(Access.Maintainer);
  });
});
