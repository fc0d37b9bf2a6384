import type { Scope } from '@moothall/contracts';

/** Description of each scope in plain words. */
export const scopeWords: Record<Scope, string> = {
  api: 'Do everything you can do: read and change your projects, groups, code and settings',
  read_api: 'Read everything you can read: your projects, groups, code and settings',
  read_user: 'Read your profile: name, username, email addresses, keys',
  read_repository: 'Read the code of your private projects',
  write_repository: 'Read and change the code of your projects',
  read_registry: 'Read container images of your private projects',
  write_registry: 'Read and change container images of your projects',
  sudo: 'Act as any user of this server, as far as you are an administrator',
  openid: 'Know who you are, so that you can sign in with Moothall',
  profile: 'Read your public profile: name, username, picture, website',
  email: 'Read your primary email address',
};
