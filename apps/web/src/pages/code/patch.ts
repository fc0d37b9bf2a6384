import { commonErrors, getMergeRequest, getPatch } from '@moothall/contracts';
import type { ProjectFile, RouteAddress } from '../../page/page';
import { numberIn } from '../../parts/number-in';

const formatOf = ({ path }: RouteAddress) => (/\.diff(?:\?|$)/.test(path) ? 'diff' : 'patch');

/** The changes of a commit, as git applies them. */
export const commitPatchFile: ProjectFile = {
  at: ['/commit/:sha.patch', '/commit/:sha.diff'],
  open: (visit, id, address) => visit.ask(getPatch, { id, to: address.params.sha ?? '', format: formatOf(address) }),
};

/** The changes of a merge request. */
export const mergeRequestPatchFile: ProjectFile = {
  at: ['/merge_requests/:iid.patch', '/merge_requests/:iid.diff'],
  async open(visit, id, address) {
    const asked = { id, merge_request_iid: numberIn(address, 'iid') };
    const { diff_refs: refs } = await visit.ask(getMergeRequest, asked);
    const from = refs?.base_sha ?? refs?.start_sha;
    if (!refs?.head_sha || !from) throw commonErrors.notFound();
    return visit.ask(getPatch, { id, from, to: refs.head_sha, format: formatOf(address) });
  },
};
