import { getUser, listUserProjects, listUsers, type OutputOf } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { UserPage } from '../page/page';
import { Heading } from '../parts/heading';
import { NamespaceProjects, projectsAt } from '../parts/namespace-projects';
import { Day } from '../parts/time';

type User = OutputOf<typeof getUser>;

/** A user, and the projects in their namespace. */
export const userPage: UserPage = async (visit, username, address) => {
  if (username.includes('/')) return undefined;
  const [summary] = (await visit.askIfSeen(listUsers, { username }))?.items ?? [];
  if (!summary) return undefined;
  const [user, projects] = await Promise.all([
    visit.askIfSeen(getUser, { id: summary.id }),
    visit.ask(listUserProjects, {
      user_id: String(summary.id),
      ...projectsAt(address),
    }),
  ]);
  return {
    title: summary.name,
    heading: <Heading of={summary} name={summary.name} />,
    width: 'wide',
    body: (
      <>
        <p class="dim">@{summary.username}</p>
        {user && <Profile user={user} />}
        <NamespaceProjects projects={projects.items} address={address} />
      </>
    ),
  };
};

/** What users tell of themselves; a private profile has none of it. */
const Profile = ({ user }: { user: User }) => {
  if (!('bio' in user)) return null;
  const facts = [user.job_title, user.organization, user.location, user.public_email].filter(Boolean) as string[];
  return (
    <>
      {user.bio && (
        <p>
          <Named>{user.bio}</Named>
        </p>
      )}
      <ul class="facts">
        {facts.map((fact) => (
          <li key={fact}>
            <Named>{fact}</Named>
          </li>
        ))}
        <li>
          Since <Day at={user.created_at} />
        </li>
      </ul>
    </>
  );
};
