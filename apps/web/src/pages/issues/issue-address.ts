import { commonErrors, type Project } from '@moothall/contracts';
import type { ProjectAddress } from '../../page/page';
import { recordNumber } from '../../parts/record-number';

/** The issue of an address. @throws common.not_found */
export function issueAt(project: Project, { params }: ProjectAddress): { id: string; issue_iid: number } {
  const iid = recordNumber(params.iid);
  if (iid === undefined) throw commonErrors.notFound();
  return { id: String(project.id), issue_iid: iid };
}
