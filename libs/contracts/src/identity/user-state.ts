import { z } from 'zod';
import { administrator, errors, id, nothing, operation, patch, post } from '../operation';

export const userStateErrors = errors('user_state', {
  deactivatedCannotBeUnblocked: {
    status: 403,
    message: '403 Forbidden - Deactivated users cannot be unblocked by the API',
    means: 'A deactivated user is activated, not unblocked.',
  },
  blockedCannotBeActivated: {
    status: 403,
    message: '403 Forbidden - A blocked user must be unblocked to be activated',
    means: 'A blocked user must be unblocked, not activated.',
  },
  blockedCannotBeDeactivated: {
    status: 403,
    message: '403 Forbidden - A blocked user cannot be deactivated by the API',
    means: 'Blocked is more than deactivated.',
  },
  recentlyActive: {
    status: 403,
    message:
      '403 Forbidden - The user you are trying to deactivate has been active in the past 90 days and cannot be deactivated',
    means: 'Only users who have stayed away can be deactivated.',
  },
  oneself: {
    status: 403,
    message: '403 Forbidden - You cannot block yourself',
    means: 'Users cannot block themselves.',
  },
  lastAdministrator: {
    status: 403,
    message: '403 Forbidden - The last administrator has to stay one',
    means: 'The server would have no administrator left.',
  },
  notActive: {
    status: 403,
    message: '403 Forbidden - Only active users can be banned',
    means: 'A blocked or deactivated user is out already.',
  },
  notBanned: {
    status: 403,
    message: '403 Forbidden - Only banned users can be unbanned',
    means: 'There is no ban to be lifted.',
  },
  banned: {
    status: 403,
    message: '403 Forbidden - A banned user has to be unbanned first',
    means: 'A ban ends by being lifted, and by nothing else.',
  },
  noTwoFactor: {
    status: 400,
    message: '400 Bad request - Two-factor authentication is not enabled for this user',
    means: 'There is no second factor to be taken away.',
  },
  administratorTwoFactor: {
    status: 403,
    message: '403 Forbidden - Two-factor authentication for admins cannot be disabled via the API.',
    means: 'Administrators switch it off themselves.',
  },
  internal: {
    status: 403,
    message: '403 Forbidden - An internal user cannot be blocked',
    means: 'The ghost user stays as it is.',
  },
});

const inThatState = z.literal(true).nullable().describe('null when the user is in that state already');

interface Words {
  summary: string;
  description?: string;
  refusals: string[];
}

const action = <O extends z.ZodType>(
  verb: 'block' | 'unblock' | 'activate' | 'deactivate' | 'ban' | 'unban',
  output: O,
  { summary, description, refusals }: Words,
) =>
  operation({
    name: `identity.users.${verb}`,
    summary,
    description,
    refusals: ['user.not_found', ...refusals],
    http: post(`/users/:id/${verb}`),
    access: administrator(),
    input: z.object({ id }),
    output,
  });

/** See docs/api/users.md#4. */
export const blockUser = action('block', inThatState, {
  summary: 'Block a user',
  description: 'Disables every credential of the user immediately.',
  refusals: ['user_state.oneself', 'user_state.last_administrator', 'user_state.internal', 'user_state.banned'],
});
export const unblockUser = action('unblock', z.boolean().describe('false if the user is not blocked'), {
  summary: 'Unblock a user',
  refusals: ['user_state.deactivated_cannot_be_unblocked', 'user_state.banned'],
});
export const activateUser = action('activate', inThatState, {
  summary: 'Activate a deactivated user',
  refusals: ['user_state.blocked_cannot_be_activated', 'user_state.banned'],
});
export const deactivateUser = action('deactivate', inThatState, {
  summary: 'Deactivate a user',
  description: 'Only users who have stayed away can be deactivated. Signing in activates them again.',
  refusals: [
    'user_state.blocked_cannot_be_deactivated',
    'user_state.recently_active',
    'user_state.internal',
    'user_state.banned',
  ],
});
export const banUser = action('ban', inThatState, {
  summary: 'Ban a user',
  description: 'Disables every credential of the user immediately, as a block does. Only `unban` ends it.',
  refusals: ['user_state.not_active', 'user_state.oneself', 'user_state.last_administrator', 'user_state.internal'],
});
export const unbanUser = action('unban', inThatState, {
  summary: 'Lift the ban of a user',
  refusals: ['user_state.not_banned'],
});

export const disableUserTwoFactor = operation({
  name: 'identity.users.disable-two-factor',
  summary: 'Disable two-factor authentication of a user',
  refusals: ['user.not_found', 'user_state.no_two_factor', 'user_state.administrator_two_factor'],
  http: patch('/users/:id/disable_two_factor', { success: 204 }),
  access: administrator(),
  input: z.object({ id }),
  output: nothing(),
});
