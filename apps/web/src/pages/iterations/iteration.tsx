import { getIteration, listGroupIssues } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { GroupPage } from '../../page/page';
import { inGroup } from '../../parts/in-group';
import { IterationFacts, nameOfIteration } from '../../parts/iteration-facts';
import { numberIn } from '../../parts/number-in';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { longestText, readTexts, Text } from '../../parts/texts';
import { Work } from '../../parts/work';

/** An iteration with its issues. */
export const iterationPage: GroupPage = {
  at: '/iterations/:iid',
  async show(visit, group, address) {
    const id = String(group.id);
    const iteration = await visit.ask(getIteration, { id, iteration_iid: numberIn(address, 'iid') }, longestText);
    const asked = { iteration_id: String(iteration.id), page: pageOf(address), per_page: perPage };
    const [issues, [description]] = await Promise.all([
      visit.ask(listGroupIssues, { id, ...asked }, longestText),
      readTexts(visit, undefined, iteration.description ? [iteration.description] : []),
    ]);
    const name = nameOfIteration(iteration);
    return inGroup(visit, group, {
      title: name,
      heading: <Named>{name}</Named>,
      body: (
        <>
          <IterationFacts iteration={iteration} />
          {description && <Text {...description} />}
          <Work title="Issues" items={issues.items} none="There are no issues to show." />
          <Paging address={address} shown={issues.items.length} />
        </>
      ),
    });
  },
};
