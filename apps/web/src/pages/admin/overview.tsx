import { getApplicationStatistics, getMetadata, type OutputOf } from '@moothall/contracts';
import type { SitePage } from '../../page/page';
import { inAdmin } from '../../parts/in-admin';

type Statistics = OutputOf<typeof getApplicationStatistics>;

const counted: Record<keyof Statistics, string> = {
  users: 'Users',
  active_users: 'Active users',
  projects: 'Projects',
  forks: 'Forks',
  groups: 'Groups',
  issues: 'Issues',
  merge_requests: 'Merge requests',
  notes: 'Comments',
  snippets: 'Snippets',
  milestones: 'Milestones',
  ssh_keys: 'SSH keys',
};

/** The version of the server, and how much there is on it. */
export const adminPage: SitePage = {
  at: '/admin',
  show: (visit, address) =>
    inAdmin(visit, address, async () => {
      const [statistics, { version, revision }] = await Promise.all([
        visit.ask(getApplicationStatistics, {}),
        visit.ask(getMetadata, {}),
      ]);
      return {
        title: 'Administration',
        body: (
          <>
            <p>
              Version {version}, revision <code>{revision}</code>
            </p>
            <h2>Statistics</h2>
            <p class="dim">Estimates of the database.</p>
            <Counts statistics={statistics} />
            <div class="parts">
              <a href="/admin/users/new">New user</a>
              <a href="/projects/new">New project</a>
              <a href="/groups/new">New group</a>
            </div>
          </>
        ),
      };
    }),
};

const Counts = ({ statistics }: { statistics: Statistics }) => (
  <table>
    <tbody>
      {Object.entries(counted).map(([kind, label]) => (
        <tr key={kind}>
          <th scope="row">{label}</th>
          <td>{statistics[kind as keyof Statistics]}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
