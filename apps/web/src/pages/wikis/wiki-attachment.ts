import { getWikiAttachment } from '@moothall/contracts';
import type { ProjectFile } from '../../page/page';

/** A file that pages of a wiki link to. */
export const wikiAttachmentFile: ProjectFile = {
  at: '/wikis/uploads/*path',
  open: (visit, id, { params }) => visit.ask(getWikiAttachment, { id, file_path: `uploads/${params.path}` }),
};
