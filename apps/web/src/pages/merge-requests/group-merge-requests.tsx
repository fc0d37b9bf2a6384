import { listGroupMergeRequests, type MergeRequest } from '@moothall/contracts';
import type { GroupPage } from '../../page/page';
import { inGroup } from '../../parts/in-group';
import { filtersOf, IssuableList } from '../../parts/issuable';
import { longestText } from '../../parts/texts';

const states = ['opened', 'merged', 'closed', 'all'] as const;

/** The merge requests of all projects of a group and its subgroups. */
export const groupMergeRequestsPage: GroupPage = {
  at: '/merge_requests',
  async show(visit, group, address) {
    const asked = { id: String(group.id), ...filtersOf(address, states) };
    const { items } = await visit.ask(listGroupMergeRequests, asked, longestText);
    return inGroup(visit, group, {
      title: 'Merge requests',
      body: (
        <IssuableList
          address={address}
          items={items as readonly MergeRequest[]}
          states={states}
          none="No merge request matches."
          reference="full"
        />
      ),
    });
  },
};
