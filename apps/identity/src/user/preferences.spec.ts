import { preferencesFrom, viewPreferences } from './preferences';

describe('viewPreferences', () => {
  it('shows the defaults of what was never set', () => {
    expect(viewPreferences({ _id: 7 })).toEqual({
      id: 7,
      user_id: 7,
      view_diffs_file_by_file: false,
      show_whitespace_in_diffs: true,
      pass_user_identities_to_ci_jwt: false,
    });
  });

  it('shows what was set, also where that is false', () => {
    const preferences = { showWhitespaceInDiffs: false, passUserIdentitiesToCiJwt: true };
    expect(viewPreferences({ _id: 7, preferences })).toMatchObject({
      view_diffs_file_by_file: false,
      show_whitespace_in_diffs: false,
      pass_user_identities_to_ci_jwt: true,
    });
  });
});

it('preferencesFrom sets what is given and nothing else', () => {
  expect(preferencesFrom({ show_whitespace_in_diffs: false })).toEqual({ showWhitespaceInDiffs: false });
});
