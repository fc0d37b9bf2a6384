import { getIssue, type Issue, listIssueDiscussions } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../../page/page';
import { Discussions, readDiscussions } from '../../parts/discussions';
import { inProject } from '../../parts/in-project';
import { IssuableFacts } from '../../parts/issuable';
import { pageOf, perPage } from '../../parts/paging';
import { recordNumber } from '../../parts/record-number';
import { readTexts, Text } from '../../parts/texts';
import { Day } from '../../parts/time';

/** An issue with its discussion. */
export const issuePage: ProjectPage = {
  at: '/issues/:iid',
  async show(visit, project, address) {
    const iid = recordNumber(address.params.iid);
    if (iid === undefined) return undefined;
    const asked = { id: String(project.id), issue_iid: iid };
    const [issue, discussions] = await Promise.all([
      visit.ask(getIssue, asked),
      visit.askIfSeen(listIssueDiscussions, { ...asked, page: pageOf(address), per_page: perPage }),
    ]);
    const [[description], discussed] = await Promise.all([
      readTexts(visit, project, issue.description ? [issue.description] : []),
      readDiscussions(visit, project, discussions?.items, address),
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
          {description && <Text {...description} />}
          <Discussions {...discussed} />
        </>
      ),
    });
  },
};

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
