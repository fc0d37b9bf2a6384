import { getRawProjectSnippet, getRawProjectSnippetFile, getRawSnippet, getRawSnippetFile } from '@moothall/contracts';
import type { ProjectFile, RouteAddress, SiteFile } from '../../page/page';
import { numberIn } from '../../parts/number-in';

/** A file of a personal snippet; the first one, if none is named. */
export const snippetFile: SiteFile = {
  at: '/-/snippets/:id/raw{/:ref/*path}',
  async open(visit, address) {
    const { snippetId: id, file } = askedAt(address);
    return file ? visit.ask(getRawSnippetFile, { id, ...file }) : visit.ask(getRawSnippet, { id });
  },
};

/** The same of a project. */
export const projectSnippetFile: ProjectFile = {
  at: '/snippets/:id/raw{/:ref/*path}',
  async open(visit, id, address) {
    const { snippetId, file } = askedAt(address);
    const asked = { id, snippet_id: snippetId };
    return file ? visit.ask(getRawProjectSnippetFile, { ...asked, ...file }) : visit.ask(getRawProjectSnippet, asked);
  },
};

function askedAt(address: RouteAddress) {
  const { ref, path } = address.params;
  const file = ref !== undefined && path !== undefined ? { ref, file_path: path } : undefined;
  return { snippetId: numberIn(address, 'id'), file };
}
