import { address, choice, flag, link, required, secret, text } from './kind';

/* Settings that several kinds have. */

export const token = required(secret(text('Token that the other system gave')));
export const username = text('Name that messages come under, or that the program signs in with', 255);
export const password = secret(text('Password or token of that user'));
/** The account with which the server signs in. */
export const account = { username: required(username), password: required(password) };

export const server = address('Address of a server of your own');
export const api_url = address('URL of its API, if different');
export const project_url = required(link('Address of the project there'));
export const subdomain = text('The part of the address before the first dot', 63);

export const room = text('Room for messages: a number, or a name', 255);
export const recipients = required(text('Recipients, separated by spaces', 60_000));
export const branches_to_be_notified = choice(
  'Which branches count',
  'all',
  'default',
  'protected',
  'default_and_protected',
);
export const notify_only_broken_pipelines = flag('Says nothing of pipelines that succeed');
export const notify_only_default_branch = flag('Older form of `branches_to_be_notified`');
