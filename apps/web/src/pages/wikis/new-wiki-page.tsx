import { createWikiPage } from '@moothall/contracts';
import type { ProjectPage } from '../../page/page';
import { Form } from '../../parts/form';
import { inProject } from '../../parts/in-project';
import { wikiPath } from '../../parts/wiki-path';
import { sentWikiPage, WikiFields } from './wiki-fields';
import { wikiPage } from './wiki-page';

/** A form for a new page of a wiki; a link to it can fill in the title: `?title=guides/First steps`. */
export const newWikiPage: ProjectPage = {
  at: '/wikis/new',
  async show(visit, project, address) {
    // Visitors who may not write get the page of the wiki that has this slug.
    if (!(await visit.may(createWikiPage, project)))
      return wikiPage.show(visit, project, { ...address, params: { slug: 'new' } });
    return inProject(visit, project, {
      title: 'New page',
      body: (
        <Form visit={visit} address={address} name="new-wiki-page">
          <WikiFields values={{ title: address.query.get('title') ?? '' }} format="Markdown" />
          <button type="submit">Create page</button>
        </Form>
      ),
    });
  },
  forms: {
    'new-wiki-page': async (visit, project, _address, sent) => {
      const { slug } = await visit.submit(createWikiPage, { id: String(project.id), ...sentWikiPage(sent) });
      return wikiPath(project, slug);
    },
  },
};
