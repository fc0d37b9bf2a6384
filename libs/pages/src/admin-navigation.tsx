const links = [
  { name: 'Overview', path: '/admin' },
  { name: 'Users', path: '/admin/users' },
  { name: 'System hooks', path: '/admin/hooks' },
  { name: 'Appearance', path: '/admin/application_settings/appearance' },
  { name: 'General', path: '/admin/application_settings/general' },
  { name: 'Network', path: '/admin/application_settings/network' },
  { name: 'Background jobs', path: '/admin/background_jobs' },
  { name: 'Replication', path: '/admin/geo/nodes' },
  { name: 'Storage moves', path: '/admin/repository_storage_moves' },
];

/** Links to the pages for administrators. */
export const AdminNavigation = () => (
  <nav class="parts" aria-label="Administration">
    {links.map(({ name, path }) => (
      <a key={name} href={path}>
        {name}
      </a>
    ))}
  </nav>
);
