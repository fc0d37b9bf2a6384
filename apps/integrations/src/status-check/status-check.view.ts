import type { ExternalStatusCheck } from '@moothall/contracts';
import type { ProtectedNames } from './checked-branches';
import type { StatusCheckDocument } from './status-check.schema';

export const viewStatusCheck = (
  { _id, projectId, name, shownUrl, protectedBranchIds, sealedSecret }: StatusCheckDocument,
  names: ProtectedNames,
): ExternalStatusCheck => ({
  id: _id,
  project_id: projectId,
  name,
  external_url: shownUrl,
  protected_branches: protectedBranchIds.flatMap((id) => {
    const branch = names.get(id);
    return branch === undefined ? [] : [{ id, project_id: projectId, name: branch }];
  }),
  hmac: sealedSecret !== null,
});
