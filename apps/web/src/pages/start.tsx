import { listIssues, listMergeRequests, listProjects, listTodos } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Content, SitePage } from '../page/page';
import { pathOf } from '../parts/address';
import { ProjectList } from '../parts/project-list';
import { longestText } from '../parts/texts';
import { Work } from '../parts/work';
import type { Visit } from '../visit/visits';

const shown = 10;
const recentFirst = { order_by: 'last_activity_at', per_page: shown, simple: true } as const;

/** For visitors what this is, and public projects; for users their projects and their work. */
export const startPage: SitePage = {
  at: '/',
  show: (visit) => (visit.viewer ? ofUser(visit) : ofVisitor(visit)),
};

async function ofVisitor(visit: Visit): Promise<Content> {
  const { items } = await visit.ask(listProjects, recentFirst);
  return {
    title: 'Moothall',
    width: 'wide',
    introducesInstance: true,
    body: (
      <>
        <p>
          This server hosts projects with their code, issues and merge requests. Use it with git over HTTP and SSH, and
          with clients of the v4 interface.
        </p>
        <h2>Public projects</h2>
        <ProjectList projects={items} none="There are no public projects." />
        {items.length === shown && <MoreProjects />}
      </>
    ),
  };
}

async function ofUser(visit: Visit): Promise<Content> {
  const mine = { state: 'opened', per_page: shown } as const;
  const [projects, issues, reviews, assigned, todos] = await Promise.all([
    visit.ask(listProjects, { ...recentFirst, membership: true }),
    visit.ask(listIssues, { ...mine, scope: 'assigned_to_me' }, longestText),
    visit.ask(listMergeRequests, { ...mine, scope: 'all', reviewer_username: visit.caller?.username }, longestText),
    visit.ask(listMergeRequests, { ...mine, scope: 'assigned_to_me' }, longestText),
    visit.ask(listTodos, { per_page: shown }, longestText),
  ]);
  return {
    title: 'Your work',
    width: 'wide',
    body: (
      <>
        <h2>Your projects</h2>
        <ProjectList projects={projects.items} none="You are not a member of a project yet." />
        <MoreProjects />
        <div class="parts">
          <a href="/projects/new">New project</a>
          <a href="/groups/new">New group</a>
          <a href="/-/snippets">Your snippets</a>
        </div>
        <Work title="Assigned issues" items={issues.items} none="No open issue is assigned to you." />
        <Work title="Review requests" items={reviews.items} none="No open merge request waits for your review." />
        <Work title="Assigned merge requests" items={assigned.items} none="No open merge request is assigned to you." />
        <h2>To do</h2>
        {todos.items.length === 0 ? (
          <p class="dim">Nothing is to do.</p>
        ) : (
          <ul class="list">
            {todos.items.map(({ id, target_url, body }) => (
              <li key={id}>
                <a href={pathOf(target_url)}>
                  <Named>{body}</Named>
                </a>
              </li>
            ))}
          </ul>
        )}
        {todos.items.length > 0 && (
          <p>
            <a href="/dashboard/todos">All to-dos</a>
          </p>
        )}
      </>
    ),
  };
}

const MoreProjects = () => (
  <p>
    <a href="/explore">All projects that you may see</a>
  </p>
);
