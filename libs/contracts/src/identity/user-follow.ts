import { z } from 'zod';
import { errors, get, id, operation, page, post, signedIn } from '../operation';
import { UserSummary } from './user';

export const followErrors = errors('follow', {
  oneself: { status: 400, message: 'You cannot follow yourself', means: 'Others are followed.' },
  tooMany: {
    status: 400,
    message: "You can't follow more than 300 users. To follow more users, unfollow some others.",
    means: 'The user follows the maximum number of users.',
  },
});

const change = (verb: 'follow' | 'unfollow', summary: string, description: string, ...refusals: string[]) =>
  operation({
    name: `identity.follows.${verb}`,
    summary,
    description,
    refusals: ['user.not_found', ...refusals],
    http: post(`/users/:id/${verb}`),
    access: signedIn(),
    input: z.object({ id }),
    output: UserSummary,
  });

/** See docs/api/users.md#9. */
export const followUser = change(
  'follow',
  'Follow a user',
  '304 when the caller does already.',
  'follow.oneself',
  'follow.too_many',
);
export const unfollowUser = change('unfollow', 'Unfollow a user', '304 when the caller does not.');

const listed = (verb: 'followers' | 'following', summary: string) =>
  operation({
    name: `identity.follows.list-${verb}`,
    summary,
    description: 'Of a private profile, for its owner and administrators only.',
    refusals: ['user.not_found', 'common.forbidden'],
    http: get(`/users/:id/${verb}`),
    access: signedIn(),
    scopes: ['read_user'],
    input: z.object({ id }),
    output: page(UserSummary),
  });

export const listFollowers = listed('followers', 'Followers of a user');
export const listFollowing = listed('following', 'Whom a user follows');
