import { type Given, onlyGiven } from '@moothall/contracts';
import type { Preferences, User } from './user.schema';

/** See docs/api/users.md#7. */
const defaults: Preferences = {
  viewDiffsFileByFile: false,
  showWhitespaceInDiffs: true,
  passUserIdentitiesToCiJwt: false,
};

interface Parameters {
  view_diffs_file_by_file: boolean;
  show_whitespace_in_diffs: boolean;
  pass_user_identities_to_ci_jwt: boolean;
}

/** The given parameters as preferences. */
export const preferencesFrom = (given: Given<Parameters>): Partial<Preferences> =>
  onlyGiven({
    viewDiffsFileByFile: given.view_diffs_file_by_file,
    showWhitespaceInDiffs: given.show_whitespace_in_diffs,
    passUserIdentitiesToCiJwt: given.pass_user_identities_to_ci_jwt,
  });

/** Preferences as v4 JSON, with defaults for absent values. */
export function viewPreferences({ _id, preferences }: Pick<User, '_id' | 'preferences'>) {
  const all = { ...defaults, ...preferences };
  return {
    id: _id,
    user_id: _id,
    view_diffs_file_by_file: all.viewDiffsFileByFile,
    show_whitespace_in_diffs: all.showWhitespaceInDiffs,
    pass_user_identities_to_ci_jwt: all.passUserIdentitiesToCiJwt,
  };
}
