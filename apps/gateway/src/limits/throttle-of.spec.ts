import { defaultApplicationSettings, type Throttle, throttleNames } from '@moothall/contracts';
import { isAnyOn, throttleOf } from './throttle-of';

const withOn = (...names: Throttle[]) => ({
  ...defaultApplicationSettings,
  ...Object.fromEntries(names.map((name) => [`throttle_${name}_enabled`, true])),
});

describe('the limit that counts a request', () => {
  it('does not exist if none is enabled', () => {
    expect(isAnyOn(defaultApplicationSettings)).toBe(false);
    expect(throttleOf('/api/v4/projects', true, defaultApplicationSettings)).toBeUndefined();
    expect(isAnyOn(withOn('authenticated_web'))).toBe(true);
  });

  it.each([
    ['/api/v4/projects', 'api'],
    ['/api/v4', 'api'],
    ['/api/v4/projects/1/packages/generic/a/1/b', 'packages_api'],
    ['/api/v4/groups/a%2Fb/packages', 'packages_api'],
    ['/api/v4/projects/packages/issues', 'api'],
    ['/api/v4/projects/1/repository/files/a', 'files_api'],
    ['/users/sign_in', 'web'],
    ['/api/graphql', 'api'],
    ['/oauth/token', 'api'],
    ['/apis', 'web'],
  ])('of %s is that of %s', (path, kind) => {
    const all = withOn(...throttleNames);
    expect(throttleOf(path, true, all)).toBe(`authenticated_${kind}`);
    expect(throttleOf(path, false, all)).toBe(`unauthenticated_${kind}`);
  });

  it('of packages and files is that of the interface by default', () => {
    const settings = withOn('authenticated_api', 'unauthenticated_packages_api');
    expect(throttleOf('/api/v4/projects/1/packages', true, settings)).toBe('authenticated_api');
    expect(throttleOf('/api/v4/projects/1/packages', false, settings)).toBe('unauthenticated_packages_api');
    expect(throttleOf('/api/v4/projects/1/issues', false, settings)).toBeUndefined();
  });
});
