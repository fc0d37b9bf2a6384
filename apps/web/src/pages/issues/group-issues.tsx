import { listGroupIssues } from '@moothall/contracts';
import type { GroupPage } from '../../page/page';
import { inGroup } from '../../parts/in-group';
import { filtersOf, IssuableList } from '../../parts/issuable';
import { longestText } from '../../parts/texts';

const states = ['opened', 'closed', 'all'] as const;

/** The issues of all projects of a group and its subgroups. */
export const groupIssuesPage: GroupPage = {
  at: '/issues',
  async show(visit, group, address) {
    const asked = { id: String(group.id), ...filtersOf(address, states) };
    const { items } = await visit.ask(listGroupIssues, asked, longestText);
    return inGroup(visit, group, {
      title: 'Issues',
      body: <IssuableList address={address} items={items} states={states} none="No issue matches." reference="full" />,
    });
  },
};
