import { type Milestone, milestoneErrors } from '@moothall/contracts';
import type { RouteAddress } from '../../page/page';
import { numberIn } from '../../parts/number-in';
import type { Visit } from '../../visit/visits';
import type { MilestoneOperations } from './milestone-operations';

/** The milestone of an address. @param longestText characters of its description @throws milestone.not_found */
export async function findMilestone(
  visit: Visit,
  { list }: MilestoneOperations,
  { id }: { id: number },
  address: RouteAddress,
  longestText?: number,
): Promise<Milestone> {
  const { items } = await visit.ask(list, { id: String(id), iids: [numberIn(address, 'iid')] }, longestText);
  const [milestone] = items;
  if (!milestone) throw milestoneErrors.notFound();
  return milestone;
}
