import { type ApplicationSettings, type Throttle, throttleNames } from '@moothall/contracts';

const kinds: [kind: string, paths: RegExp][] = [
  ['packages_api', /^\/api\/v4\/(?:projects|groups)\/[^/]+\/(?:-\/)?packages(?:\/|$)/],
  ['files_api', /^\/api\/v4\/projects\/[^/]+\/repository\/files\//],
  ['api', /^\/(?:api|oauth)(?:\/|$)/],
];

/** Whether any limit is enabled: otherwise nothing is counted. */
export const isAnyOn = (settings: ApplicationSettings): boolean =>
  throttleNames.some((name) => settings[`throttle_${name}_enabled`]);

/** The limit that counts a request, if any. See docs/api/requests.md#11. */
export function throttleOf(path: string, isSignedIn: boolean, settings: ApplicationSettings): Throttle | undefined {
  const who = isSignedIn ? 'authenticated' : 'unauthenticated';
  const of = kinds.filter(([, paths]) => paths.test(path)).map(([kind]) => `${who}_${kind}`);
  const names = of.length > 0 ? of : [`${who}_web`];
  return throttleNames.find((name) => names.includes(name) && settings[`throttle_${name}_enabled`]);
}
