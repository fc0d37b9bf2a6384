import { getReleaseEvidence } from '@moothall/contracts';
import type { ProjectFile } from '../../page/page';
import { numberIn } from '../../parts/number-in';

/** The file of an evidence: the release as it was then. */
export const evidenceFile: ProjectFile = {
  at: '/releases/*tag/evidences/:number.json',
  open: (visit, id, address) =>
    visit.ask(getReleaseEvidence, {
      id,
      tag_name: address.params.tag ?? '',
      evidence_id: numberIn(address, 'number'),
    }),
};
