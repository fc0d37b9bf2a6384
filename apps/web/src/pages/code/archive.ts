import { commonErrors, getArchive } from '@moothall/contracts';
import type { ProjectFile } from '../../page/page';

/** The files of a commit as an archive. Its format is that of the last part of the path, which is a name for the file. */
export const archiveFile: ProjectFile = {
  at: '/archive/*rest',
  async open(visit, id, { params, query }) {
    const { ref, format } = /^(?<ref>.+)\/[^/]+?\.(?<format>(?:tar\.)?[a-z\d]+)$/.exec(params.rest ?? '')?.groups ?? {};
    if (ref === undefined || format === undefined) throw commonErrors.notFound();
    const path = query.get('path');
    return visit.ask(getArchive, { id, sha: ref, format, ...(path && { path }) });
  },
};
