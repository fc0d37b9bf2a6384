import type { FieldValues } from '../../forms/changes';
import type { SentForm } from '../../forms/sent-form';
import type { FieldFacts } from '../../parts/field-list';
import type { AdminUser } from './user-at';

/** Fields of new users, and of others. */
export const nameFields: readonly FieldFacts[] = [
  { name: 'name', label: 'Name', required: true },
  { name: 'username', label: 'Username', hint: 'It is also the path of the projects of the user.', required: true },
  { name: 'email', label: 'Email address', required: true },
];

export const rightFields: readonly FieldFacts[] = [
  { name: 'admin', label: 'Administrator', hint: 'Administrators can see and change everything.', is: true },
  {
    name: 'external',
    label: 'External',
    hint: 'External users see public projects, and those that they are members of.',
    is: true,
  },
  { name: 'note', label: 'Note', hint: 'Only administrators see it.', is: 3 },
];

/** Fields whose defaults are settings of the instance. */
const limitFields: readonly FieldFacts[] = [
  { name: 'can_create_group', label: 'Can create groups', is: true },
  { name: 'projects_limit', label: 'Limit of projects', required: true },
];

const profileFields: readonly FieldFacts[] = [
  { name: 'bio', label: 'About the user', is: 3 },
  { name: 'job_title', label: 'Job title' },
  { name: 'organization', label: 'Organization' },
  { name: 'location', label: 'Location' },
  { name: 'website_url', label: 'Website' },
  { name: 'private_profile', label: 'Private profile: others see only the name', is: true },
];

/** All fields of a user, except the password. */
export const userFields: readonly FieldFacts[] = [...nameFields, ...rightFields, ...limitFields, ...profileFields];

/** The user with parameters as properties. */
export const withParameters = (user: AdminUser) => ({ ...user, admin: user.is_admin });

/** The parameter `password` of a sent form, unless it is empty. */
export const sentPassword = (sent: SentForm): FieldValues =>
  sent.text('secret_password') === '' ? {} : { password: sent.text('secret_password') };
