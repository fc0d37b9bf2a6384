import { getWikiDiff } from '@moothall/contracts';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { FileChanges } from '../../parts/diff';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { shortened } from '../../parts/shortened';

/** What one change of a wiki did to its pages. Webhooks have its address. */
export const wikiDiffPage: ProjectPage = {
  at: '/wikis/*slug/diff',
  async show(visit, project, address) {
    const version_id = address.query.get('version_id');
    if (!version_id) return undefined;
    const asked = { id: String(project.id), version_id, page: pageOf(address), per_page: perPage };
    const { items } = await visit.ask(getWikiDiff, asked);
    const slug = address.params.slug ?? '';
    return inProject(visit, project, {
      title: `Change of ${shortened(slug)}`,
      body: (
        <>
          <p>
            <a href={below(project, 'wikis', slug)}>The page of today</a>
          </p>
          {items.map((file) => (
            <FileChanges key={file.new_path} project={project} file={file} />
          ))}
          <Paging address={address} shown={items.length} />
        </>
      ),
    });
  },
};
