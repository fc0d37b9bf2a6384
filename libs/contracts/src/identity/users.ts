import { z } from 'zod';
import {
  administrator,
  allOrNoneOf,
  anyone,
  atLeastOneOf,
  avatarLimit,
  del,
  errors,
  get,
  hash,
  id,
  nothing,
  operation,
  page,
  post,
  put,
  signedIn,
  sorting,
  text,
  timestamp,
  uploadedFile,
} from '../operation';
import { AdminUser, OwnUser, UserView } from './user-view';

export const userConflicts = errors('user_conflict', {
  emailTaken: { status: 409, message: 'Email has already been taken', means: 'Another user has the address.' },
  usernameTaken: {
    status: 409,
    message: 'Username has already been taken',
    means: 'Another user or a group has the path.',
  },
  emailTakenOnUpdate: {
    status: 404,
    message: 'Email has already been taken',
    means: 'Another user has the address; updates answer 404.',
  },
  usernameTakenOnUpdate: {
    status: 404,
    message: 'Username has already been taken',
    means: 'Another user or a group has the path; updates answer 404.',
  },
  identityTaken: {
    status: 409,
    message: 'Extern uid has already been taken',
    means: 'Another user has that identity with the provider.',
  },
  soleOwner: {
    status: 409,
    message: 'User cannot be removed while is the sole-owner of a group',
    means: 'Groups would be left without an owner; hard_delete removes them along.',
  },
});

const flag = z.boolean();
const optionalText = z.string().nullish();

/** Parameters of the profile, which users change themselves. */
const profile = {
  bio: optionalText,
  job_title: optionalText,
  linkedin: optionalText,
  location: optionalText,
  organization: optionalText,
  private_profile: flag.nullish().describe('null counts as false'),
  public_email: optionalText,
  skype: optionalText,
  twitter: optionalText,
  website_url: optionalText,
};

/** Parameters that creating and changing a user share. See docs/api/users.md#3. */
const attributes = {
  ...profile,
  admin: flag.optional(),
  avatar: uploadedFile(avatarLimit).optional(),
  can_create_group: flag.optional(),
  color_scheme_id: z.int().nullish(),
  extern_uid: optionalText,
  external: flag.optional(),
  extra_shared_runners_minutes_limit: z.int().nullish(),
  group_id_for_saml: z.int().nullish(),
  note: optionalText,
  projects_limit: z.int().nullish(),
  provider: optionalText,
  shared_runners_minutes_limit: z.int().nullish(),
  theme_id: z.int().nullish(),
};

/** See docs/api/users.md#2. */
export const listUsers = operation({
  name: 'identity.users.list',
  summary: 'Users, newest first',
  description:
    'Callers without credentials must give `username`; only administrators may filter and sort by fields that only they see.',
  http: get('/users'),
  access: anyone(),
  scopes: ['read_user'],
  input: z
    .object({
      search: z.string().optional().describe('Part of name or username, or the exact email address'),
      username: z.string().optional().describe('Exact, in any case'),
      active: flag.optional().describe('Only active users'),
      blocked: flag.optional(),
      external: flag.optional().describe('Only external users'),
      exclude_external: flag.optional(),
      exclude_internal: flag.optional(),
      admins: flag.optional(),
      created_before: timestamp.optional(),
      created_after: timestamp.optional(),
      without_projects: flag.default(false),
      two_factor: z.enum(['enabled', 'disabled']).optional(),
      extern_uid: z.string().optional(),
      provider: z.string().optional(),
      custom_attributes: hash.optional(),
      with_custom_attributes: flag.default(false),
      ...sorting(['id', 'name', 'username', 'created_at', 'updated_at']),
    })
    .refine(...allOrNoneOf('extern_uid', 'provider')),
  output: page(UserView),
});

export const getUser = operation({
  name: 'identity.users.get',
  summary: 'One user, as much as the caller may see',
  refusals: ['user.not_found'],
  http: get('/users/:id'),
  access: anyone(),
  scopes: ['read_user'],
  input: z.object({ id, with_custom_attributes: flag.default(false) }),
  output: UserView,
});

export const getCurrentUser = operation({
  name: 'identity.users.current',
  summary: 'The caller',
  http: get('/user'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({}),
  output: OwnUser,
});

export const createUser = operation({
  name: 'identity.users.create',
  summary: 'Create a user',
  description:
    'One of `password`, `reset_password` and `force_random_password` is needed; a forced random or a reset password comes before a given one. `extern_uid` and `provider` come together or not at all.',
  refusals: ['user_conflict.email_taken', 'user_conflict.username_taken', 'common.invalid_record'],
  http: post('/users'),
  access: administrator(),
  input: z
    .object({
      email: text,
      name: text,
      username: text,
      password: z.string().optional(),
      reset_password: flag.optional(),
      force_random_password: flag.optional(),
      skip_confirmation: flag.default(false),
      ...attributes,
    })
    .refine(...atLeastOneOf('password', 'reset_password', 'force_random_password'))
    .refine(...allOrNoneOf('extern_uid', 'provider')),
  output: AdminUser,
});

export const updateUser = operation({
  name: 'identity.users.update',
  summary: 'Change a user',
  description:
    'Updates answer 404, not 409, where an address or a username is taken. `extern_uid` and `provider` come together or not at all.',
  refusals: ['user.not_found', 'user_conflict.email_taken_on_update', 'user_conflict.username_taken_on_update'],
  http: put('/users/:id'),
  access: administrator(),
  input: z
    .object({
      id,
      email: text.optional(),
      name: text.optional(),
      username: text.optional(),
      password: z.string().optional(),
      skip_reconfirmation: flag.default(false),
      ...attributes,
    })
    .refine(...allOrNoneOf('extern_uid', 'provider')),
  output: AdminUser,
});

/** The profile that all users see, unless it is private. */
export const updateOwnProfile = operation({
  name: 'identity.users.update-own-profile',
  summary: 'Change the profile of the caller',
  description:
    'Parameters that are not given stay unchanged. `public_email` is one of the confirmed addresses of the caller, and an empty ' +
    '`avatar` removes the picture.',
  onPages: true,
  refusals: ['common.invalid_record'],
  access: signedIn(),
  input: z.object({
    ...profile,
    name: text.optional(),
    avatar: z.union([uploadedFile(avatarLimit), z.literal('')]).optional(),
  }),
  output: nothing(),
});

export const deleteUser = operation({
  name: 'identity.users.delete',
  summary: 'Delete a user',
  description: 'Contributions go to the ghost user, unless `hard_delete` removes them along.',
  refusals: ['user.not_found', 'user_conflict.sole_owner'],
  http: del('/users/:id'),
  access: administrator(),
  input: z.object({ id, hard_delete: flag.default(false) }),
  output: nothing(),
});

export const deleteUserIdentity = operation({
  name: 'identity.user-identities.delete',
  summary: 'Part a user from a sign-in provider',
  refusals: ['user.not_found', 'common.not_found for an identity that is not there'],
  http: del('/users/:id/identities/:provider'),
  access: administrator(),
  input: z.object({ id, provider: z.string() }),
  output: nothing(),
});

export type UserAttributes = z.output<z.ZodObject<typeof attributes>>;
