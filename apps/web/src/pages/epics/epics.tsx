import { listEpics } from '@moothall/contracts';
import type { GroupPage } from '../../page/page';
import { EpicList } from '../../parts/epic-list';
import { inGroup } from '../../parts/in-group';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { SearchForm, searchOf } from '../../parts/search-form';
import { States, stateOf } from '../../parts/states';
import { longestText } from '../../parts/texts';

const states = ['opened', 'closed', 'all'] as const;

/** The epics of a group and of the groups below it. */
export const epicsPage: GroupPage = {
  at: '/epics',
  async show(visit, group, address) {
    const search = searchOf(address);
    const { items } = await visit.ask(
      listEpics,
      {
        ...{ id: String(group.id), state: stateOf(address, states), page: pageOf(address), per_page: perPage },
        ...(search && { search }),
      },
      longestText,
    );
    return inGroup(visit, group, {
      title: 'Epics',
      body: (
        <>
          <SearchForm label="Search in title and description" address={address} />
          <States address={address} states={states} />
          <EpicList epics={items} none="No epic matches." />
          <Paging address={address} shown={items.length} />
        </>
      ),
    });
  },
};
