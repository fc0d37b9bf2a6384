import { findPath, getRawFile } from '@moothall/contracts';
import type { ProjectFile } from '../../page/page';

/** The bytes of a file. */
export const rawFile: ProjectFile = {
  at: '/raw/*rest',
  async open(visit, id, { params }) {
    const { path, commit_id } = await visit.ask(findPath, { id, ref_and_path: params.rest ?? '' });
    return visit.ask(getRawFile, { id, file_path: path, ref: commit_id });
  },
};
