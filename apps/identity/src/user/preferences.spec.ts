import { preferencesFrom, viewPreferences } from './preferences';

describe('viewPreferences', () => {
  it('contains the defaults of preferences that are not set', () => {
    expect(viewPreferences({ _id: 7 })).toEqual({
      id: 7,
      user_id: 7,
      view_diffs_file_by_file: false,
      show_whitespace_in_diffs: true,
      pass_user_identities_to_ci_jwt: false,
    });
  });

  it('contains set values, also false', () => {
    const preferences = { showWhitespaceInDiffs: false, passUserIdentitiesToCiJwt: true };
    expect(viewPreferences({ _id: 7, preferences })).toMatchObject({
      view_diffs_file_by_file: false,
      show_whitespace_in_diffs: false,
      pass_user_identities_to_ci_jwt: true,
    });
  });
});

it('preferencesFrom sets only the given values', () => {
  expect(preferencesFrom({ show_whitespace_in_diffs: false })).toEqual({ showWhitespaceInDiffs: false });
});
