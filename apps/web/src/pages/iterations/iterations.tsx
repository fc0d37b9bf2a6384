import { listGroupIterations } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { GroupPage } from '../../page/page';
import { pathOf } from '../../parts/address';
import { inGroup } from '../../parts/in-group';
import { IterationFacts, nameOfIteration } from '../../parts/iteration-facts';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { States, stateOf } from '../../parts/states';
import { longestText } from '../../parts/texts';

const states = ['opened', 'closed', 'all'] as const;

/** The iterations of a group and of the groups above it, the earliest first. */
export const iterationsPage: GroupPage = {
  at: '/iterations',
  async show(visit, group, address) {
    const asked = { state: stateOf(address, states), page: pageOf(address), per_page: perPage };
    const { items } = await visit.ask(listGroupIterations, { id: String(group.id), ...asked }, longestText);
    return inGroup(visit, group, {
      title: 'Iterations',
      body: (
        <>
          <States address={address} states={states} />
          {items.length === 0 && <p class="dim">No iteration matches.</p>}
          <ul class="list">
            {items.map((iteration) => (
              <li key={iteration.id}>
                <a href={pathOf(iteration.web_url)}>
                  <Named>{nameOfIteration(iteration)}</Named>
                </a>
                <IterationFacts iteration={iteration} />
              </li>
            ))}
          </ul>
          <Paging address={address} shown={items.length} />
        </>
      ),
    });
  },
};
