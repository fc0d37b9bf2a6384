import { type Epic, getEpic, listChildEpics, listEpicDiscussionBeginnings, listEpicIssues } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { GroupPage } from '../../page/page';
import { belowGroup } from '../../parts/code-address';
import { beginnings, Discussions, readDiscussions } from '../../parts/discussions';
import { EpicList } from '../../parts/epic-list';
import { inGroup } from '../../parts/in-group';
import { numberIn } from '../../parts/number-in';
import { pageOf, perPage } from '../../parts/paging';
import { longestText, Text } from '../../parts/texts';
import { Day } from '../../parts/time';
import { UserLink } from '../../parts/user-link';
import { Work } from '../../parts/work';

/** An epic with its issues, the epics below it, and its discussion. */
export const epicPage: GroupPage = {
  at: '/epics/:iid',
  async show(visit, group, address) {
    const asked = { id: String(group.id), epic_iid: numberIn(address, 'iid') };
    const epic = await visit.ask(getEpic, asked, longestText);
    const paging = { page: pageOf(address), per_page: perPage };
    const [issues, children, discussions] = await Promise.all([
      visit.ask(listEpicIssues, { ...asked, ...paging }, longestText),
      visit.ask(listChildEpics, asked, longestText),
      visit.askIfSeen(listEpicDiscussionBeginnings, { id: asked.id, epic_id: epic.id, ...beginnings, ...paging }),
    ]);
    const given = { description: epic.description, discussions: discussions?.items };
    const discussed = await readDiscussions(visit, undefined, given, address, { comments: false });
    return inGroup(visit, group, {
      title: `${epic.title} (&${epic.iid})`,
      heading: (
        <>
          <Named>{epic.title}</Named> <span class="dim">&amp;{epic.iid}</span>
        </>
      ),
      body: (
        <>
          <Facts epic={epic} epicsPath={belowGroup(group, 'epics')} />
          {discussed.description && <Text {...discussed.description} />}
          <Work title="Issues" items={issues.items} none="There are no issues to show." />
          {children.items.length > 0 && (
            <>
              <h2>Epics below</h2>
              <EpicList epics={children.items} none="" />
            </>
          )}
          <Discussions {...discussed} />
        </>
      ),
    });
  },
};

const Facts = ({ epic, epicsPath }: { epic: Epic; epicsPath: string }) => (
  <ul class="facts">
    <li class="tag">{epic.state}</li>
    {epic.confidential && <li class="tag">confidential</li>}
    <li>
      By <UserLink user={epic.author} /> on <Day at={epic.created_at} />
    </li>
    {epic.start_date && (
      <li>
        From <Day at={epic.start_date} />
      </li>
    )}
    {epic.due_date && (
      <li>
        Until <Day at={epic.due_date} />
      </li>
    )}
    {epic._links.parent?.endsWith(`/groups/${epic.group_id}/epics/${epic.parent_iid}`) && (
      <li>
        Below <a href={`${epicsPath}/${epic.parent_iid}`}>&amp;{epic.parent_iid}</a>
      </li>
    )}
    {epic.labels
      .map((label) => (typeof label === 'string' ? label : label.name))
      .map((name) => (
        <li key={name} class="tag">
          <Named>{name}</Named>
        </li>
      ))}
  </ul>
);
