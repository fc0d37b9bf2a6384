import type { countAssociations, OutputOf } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import { roleOf } from '../../parts/roles';
import { Day, Moment } from '../../parts/time';
import type { AdminUser } from './user-at';
import { UserTags } from './user-tags';

interface Props {
  user: AdminUser;
  counts: OutputOf<typeof countAssociations>;
}

/** What administrators see of a user. */
export const UserFacts = ({ user, counts }: Props) => (
  <>
    <p>
      @{user.username} <UserTags user={user} />
    </p>
    <ul class="facts">
      <li>ID {user.id}</li>
      <li>
        {user.email}
        {!user.confirmed_at && <span class="tag after">not confirmed</span>}
      </li>
      {user.unconfirmed_email && <li>New address, not confirmed: {user.unconfirmed_email}</li>}
      <li>Two-factor authentication: {user.two_factor_enabled ? 'on' : 'off'}</li>
      <li>{user.can_create_group ? 'Can create groups' : 'Cannot create groups'}</li>
      <li>Limit of projects: {user.projects_limit}</li>
      {user.highest_role ? <li>Highest role: {roleOf(user.highest_role)}</li> : null}
    </ul>
    <Activity user={user} />
    <ul class="facts">
      <li>{counts.groups_count} groups</li>
      <li>{counts.projects_count} projects</li>
      <li>{counts.issues_count} issues</li>
      <li>{counts.merge_requests_count} merge requests</li>
    </ul>
    {user.note && (
      <p>
        Note: <Named>{user.note}</Named>
      </p>
    )}
  </>
);

const Activity = ({ user }: { user: AdminUser }) => (
  <ul class="facts">
    <li>
      Created on <Day at={user.created_at} />
    </li>
    <li>Sign-ins: {user.sign_in_count}</li>
    {user.current_sign_in_at && (
      <li>
        Last sign-in: <Moment at={user.current_sign_in_at} />
        {user.current_sign_in_ip && ` from ${user.current_sign_in_ip}`}
      </li>
    )}
    {user.last_activity_on && (
      <li>
        Last activity on <Day at={user.last_activity_on} />
      </li>
    )}
  </ul>
);
