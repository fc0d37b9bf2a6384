import { z } from 'zod';
import { operation, page, searchOf, signedIn } from '../operation';
import { UserSummary } from './user';

const ofInstance = searchOf('instance', 'users');

/** See docs/api/search.md#4. */
export const searchUsers = operation({
  name: 'identity.search.users',
  summary: 'Search for users by name, username or exact address',
  description: 'Users who are blocked are shown to administrators only.',
  ...ofInstance,
  access: signedIn(),
  input: z.object(ofInstance.input),
  output: page(UserSummary),
});
