import {
  createIssueNote,
  getIssue,
  type Issue,
  listIssueDiscussionBeginnings,
  type ProjectRef,
  replyToIssueDiscussion,
  updateIssue,
} from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage, RouteAddress } from '../../page/page';
import { pathOf } from '../../parts/address';
import { below } from '../../parts/code-address';
import { discussionForms } from '../../parts/discussion-forms';
import { beginnings, Discussions, readDiscussions } from '../../parts/discussions';
import { Action } from '../../parts/form';
import { inProject } from '../../parts/in-project';
import { IssuableFacts } from '../../parts/issuable';
import { pageOf, perPage } from '../../parts/paging';
import { longestText, Text } from '../../parts/texts';
import { Day } from '../../parts/time';
import type { Visit } from '../../visit/visits';
import { mayChange } from './edit-issue';
import { issueAt } from './issue-address';

/** An issue with its discussion. */
export const issuePage: ProjectPage = {
  at: '/issues/:iid',
  async show(visit, project, address) {
    const asked = issueAt(project, address);
    const [issue, discussions] = await Promise.all([
      visit.ask(getIssue, asked, longestText),
      visit.askIfSeen(listIssueDiscussionBeginnings, {
        ...asked,
        ...beginnings,
        page: pageOf(address),
        per_page: perPage,
      }),
    ]);
    const comments = await visit.may(createIssueNote, project);
    const { iid, description } = issue;
    const [discussed, changes] = await Promise.all([
      readDiscussions(visit, project, { description, discussions: discussions?.items }, address, { comments }),
      mayChange(visit, project, issue),
    ]);
    return inProject(visit, project, {
      title: `${issue.title} (#${iid})`,
      heading: (
        <>
          <Named>{issue.title}</Named> <span class="dim">#{iid}</span>
        </>
      ),
      body: (
        <>
          <IssuableFacts project={project} page="issues" item={issue} />
          <Planning issue={issue} />
          {changes && <Changes visit={visit} project={project} address={address} issue={issue} />}
          {discussed.description && <Text {...discussed.description} />}
          <Discussions {...discussed} />
        </>
      ),
    });
  },
  forms: {
    ...discussionForms({
      at: (project, address) => below(project, `issues/${issueAt(project, address).issue_iid}`),
      count: async (visit, project, address) =>
        (await visit.ask(listIssueDiscussionBeginnings, { ...issueAt(project, address), ...beginnings, per_page: 1 }))
          .total,
      comment: (visit, project, address, body) => visit.ask(createIssueNote, { ...issueAt(project, address), body }),
      reply: (visit, project, address, note) =>
        visit.ask(replyToIssueDiscussion, { ...issueAt(project, address), ...note }),
    }),
    close: (visit, project, address) => changeState(visit, project, address, 'close'),
    reopen: (visit, project, address) => changeState(visit, project, address, 'reopen'),
  },
};

async function changeState(
  visit: Visit,
  project: ProjectRef,
  address: RouteAddress,
  state_event: 'close' | 'reopen',
): Promise<string> {
  const { web_url } = await visit.ask(updateIssue, { ...issueAt(project, address), state_event });
  return pathOf(web_url);
}

interface ChangesProps {
  visit: Visit;
  project: ProjectRef;
  address: RouteAddress;
  issue: Issue;
}

const Changes = ({ visit, project, address, issue: { iid, state } }: ChangesProps) => (
  <div class="parts">
    <a href={below(project, `issues/${iid}/edit`)}>Edit</a>
    {state === 'opened' ? (
      <Action visit={visit} address={address} name="close" word="Close issue" look="quiet" />
    ) : (
      <Action visit={visit} address={address} name="reopen" word="Reopen issue" look="quiet" />
    )}
  </div>
);

const Planning = ({ issue: { confidential, due_date, weight, closed_at } }: { issue: Issue }) => (
  <ul class="facts">
    {confidential && <li class="tag">confidential</li>}
    {closed_at && (
      <li>
        Closed on <Day at={closed_at} />
      </li>
    )}
    {due_date && (
      <li>
        Due on <Day at={due_date} />
      </li>
    )}
    {weight != null && <li>Weight {weight}</li>}
  </ul>
);
