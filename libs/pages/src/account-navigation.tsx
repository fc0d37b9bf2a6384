const links = [
  { name: 'Profile', path: '/-/user_settings/profile' },
  { name: 'Emails', path: '/-/profile/emails' },
  { name: 'Access tokens', path: '/-/user_settings/personal_access_tokens' },
  { name: 'SSH keys', path: '/-/user_settings/ssh_keys' },
  { name: 'GPG keys', path: '/-/user_settings/gpg_keys' },
  { name: 'Sessions', path: '/-/user_settings/active_sessions' },
  { name: 'Notifications', path: '/-/profile/notifications' },
  { name: 'Applications', path: '/-/profile/applications' },
  { name: 'Password', path: '/-/profile/password' },
  { name: 'Two-factor', path: '/-/profile/two_factor_auth' },
];

/** Links to the settings of the signed-in user. */
export const AccountNavigation = () => (
  <nav class="parts" aria-label="Settings">
    {links.map(({ name, path }) => (
      <a key={name} href={path}>
        {name}
      </a>
    ))}
  </nav>
);
