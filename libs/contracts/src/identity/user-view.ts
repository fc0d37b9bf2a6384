import { z } from 'zod';
import { date, time } from '../operation';
import { UserSummary } from './user';

const text = z.string().nullable();

/** Custom attribute of a user, group or project. See docs/api/users.md#6. */
export const CustomAttribute = z.object({ key: z.string(), value: z.string() });

const Identity = z.object({
  provider: z.string(),
  extern_uid: z.string(),
  saml_provider_id: z.int().nullable(),
});

const profile = {
  bio: text,
  location: text,
  public_email: text,
  skype: z.string(),
  linkedin: z.string(),
  twitter: z.string(),
  website_url: z.string(),
  organization: text,
  job_title: z.string(),
  work_information: text,
};

/** The fields that other users see; of a private profile only the summary. See docs/api/users.md#1. */
export const PublicUser = UserSummary.extend({
  created_at: time,
  ...profile,
  bot: z.boolean(),
  custom_attributes: z.array(CustomAttribute).optional(),
});

/** The fields that users see of themselves. */
export const OwnUser = PublicUser.extend({
  email: z.string(),
  commit_email: z.string(),
  last_sign_in_at: time.nullable(),
  confirmed_at: time.nullable(),
  last_activity_on: date.nullable(),
  theme_id: z.int(),
  color_scheme_id: z.int(),
  projects_limit: z.int(),
  current_sign_in_at: time.nullable(),
  identities: z.array(Identity),
  can_create_group: z.boolean(),
  can_create_project: z.boolean(),
  two_factor_enabled: z.boolean(),
  external: z.boolean(),
  private_profile: z.boolean(),
  is_admin: z.boolean().optional().describe('For administrators only'),
  note: text.optional().describe('For administrators only'),
});

/** The fields that administrators see of any user. See docs/api/users.md#1. */
export const AdminUser = OwnUser.extend({
  is_admin: z.boolean(),
  note: text,
  unconfirmed_email: text,
  shared_runners_minutes_limit: z.int().nullable(),
  extra_shared_runners_minutes_limit: z.int().nullable(),
  current_sign_in_ip: text,
  last_sign_in_ip: text,
  sign_in_count: z.int(),
  highest_role: z.int().optional().describe('Highest level in any project or group; of a single user'),
  plan: text.optional().describe('Enterprise edition only'),
  trial: z.boolean().optional().describe('Enterprise edition only'),
});

/** A user as the caller may see it. */
export const UserView = z.union([AdminUser, OwnUser, PublicUser, UserSummary]);
