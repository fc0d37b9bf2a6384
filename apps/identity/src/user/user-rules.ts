import { readWebAddress, type UserAttributes } from '@moothall/contracts';
import { passwordProblems } from '../password/password';

const maxTextLength = 255;
const usernameForm = /^(?:[a-zA-Z0-9_.][a-zA-Z0-9_.-]{0,253}[a-zA-Z0-9_-]|[a-zA-Z0-9_])$/;
const usernameProblem =
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.";
const emailForm = /^[^@\s<>"]+@[^@\s<>"]+$/;

const isUsername = (text: string): boolean => usernameForm.test(text) && !/\.(git|atom)$/i.test(text);
export const isEmail = (text: string): boolean => emailForm.test(text) && text.length <= maxTextLength;

type Checked = Partial<UserAttributes> & {
  email?: string | undefined;
  name?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
};

/** Errors of a user, by attribute, as messages of the API. */
export function userProblems(given: Checked): Record<string, string[]> {
  const problems: Record<string, string[]> = {};
  const complain = (attribute: string, ...texts: string[]) => {
    if (texts.length > 0) problems[attribute] = [...(problems[attribute] ?? []), ...texts];
  };
  if (given.username !== undefined && !isUsername(given.username)) complain('username', usernameProblem);
  if (given.email !== undefined && !isEmail(given.email)) complain('email', 'is invalid');
  if (given.public_email && !isEmail(given.public_email)) complain('public_email', 'is invalid');
  if (given.name?.trim() === '') complain('name', "can't be blank");
  if (given.password !== undefined) complain('password', ...passwordProblems(given.password));
  for (const attribute of [
    'name',
    'bio',
    'location',
    'organization',
    'job_title',
    'skype',
    'linkedin',
    'twitter',
  ] as const) {
    if ((given[attribute]?.length ?? 0) > maxTextLength) complain(attribute, 'is too long (maximum is 255 characters)');
  }
  for (const attribute of ['projects_limit', 'shared_runners_minutes_limit'] as const) {
    if ((given[attribute] ?? 0) < 0) complain(attribute, 'must be greater than or equal to 0');
  }
  if (given.website_url && !isWebAddress(given.website_url)) complain('website_url', 'must be a valid URL');
  return problems;
}

function isWebAddress(text: string): boolean {
  // Users often omit the scheme.
  const address = /^[a-z]+:/i.test(text) ? text : `http://${text}`;
  return readWebAddress(address) !== undefined && text.length <= maxTextLength;
}
