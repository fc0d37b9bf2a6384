import { z } from 'zod';
import { get, id, operation, put, signedIn, someChangeOf } from '../operation';

const UserPreferences = z.object({
  id,
  user_id: id,
  view_diffs_file_by_file: z.boolean(),
  show_whitespace_in_diffs: z.boolean(),
  pass_user_identities_to_ci_jwt: z.boolean(),
});

/** See docs/api/users.md#7. */
export const getOwnPreferences = operation({
  name: 'identity.user-preferences.get',
  summary: 'Preferences of the caller',
  http: get('/user/preferences'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({}),
  output: UserPreferences,
});

/** See docs/api/users.md#7. */
export const updateOwnPreferences = operation({
  name: 'identity.user-preferences.update',
  summary: 'Change preferences of the caller',
  description: 'Parameters that are not given stay unchanged.',
  http: put('/user/preferences'),
  access: signedIn(),
  input: z
    .object({
      view_diffs_file_by_file: z.boolean().optional().describe('Show one file of a diff at a time'),
      show_whitespace_in_diffs: z.boolean().optional().describe('Show changes of white space in diffs'),
      pass_user_identities_to_ci_jwt: z.boolean().optional().describe('Stored and returned; jobs get no such token'),
    })
    .refine(...someChangeOf('view_diffs_file_by_file', 'show_whitespace_in_diffs', 'pass_user_identities_to_ci_jwt')),
  output: UserPreferences,
});
