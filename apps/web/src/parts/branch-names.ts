import { listBranches, type ProjectRef } from '@moothall/contracts';
import type { Visit } from '../visit/visits';

/** The first branches of a project, as suggestions; none for visitors who do not see the code. */
export async function branchNames(visit: Visit, { id }: ProjectRef): Promise<string[]> {
  const found = await visit.askIfSeen(listBranches, { id: String(id), per_page: 100 });
  return found?.items.map(({ name }) => name) ?? [];
}
