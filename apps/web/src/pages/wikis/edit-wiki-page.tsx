import { deleteWikiPage, getWikiPage, type ProjectRef, updateWikiPage } from '@moothall/contracts';
import { changesOf } from '../../forms/changes';
import { fitsTextArea, withLineEndsOf } from '../../forms/text-area';
import type { ProjectPage, RouteAddress } from '../../page/page';
import { below } from '../../parts/code-address';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { Form, Was } from '../../parts/form';
import { inProject } from '../../parts/in-project';
import { wikiPath } from '../../parts/wiki-path';
import type { Visit } from '../../visit/visits';
import { readWikiPage, type WikiPage } from './find-wiki-page';
import { sentWikiPage, WikiFields } from './wiki-fields';
import { wikiPage } from './wiki-page';

/** Longer pages are changed with git. */
const mostOfContent = 1024 ** 2;

/** A form that changes a page of a wiki, and one that deletes it. */
export const editWikiPage: ProjectPage = {
  at: '/wikis/*slug/edit',
  async show(visit, project, address) {
    const { slug } = askedAt(project, address);
    const page = (await visit.may(updateWikiPage, project)) ? await readWikiPage(visit, project, slug) : undefined;
    // A page in a folder may have the name `edit`.
    if (!page) return wikiPage.show(visit, project, { ...address, params: { slug: `${slug}/edit` } });
    const deletes = await visit.may(deleteWikiPage, project);
    return inProject(visit, project, {
      title: 'Edit page',
      body: (
        <>
          <EditForm visit={visit} project={project} address={address} page={page} />
          {deletes && (
            <ConfirmedAction
              name="delete"
              visit={visit}
              address={address}
              word="Delete page"
              consequence="The page stays in the history of the wiki."
            />
          )}
        </>
      ),
    });
  },
  forms: {
    'wiki-page': async (visit, project, address, sent) => {
      const asked = askedAt(project, address);
      const page = await visit.ask(getWikiPage, asked);
      const { title, content } = changesOf(sent, sentWikiPage(sent), valuesOf(page));
      if (title === undefined && content === undefined) return wikiPath(project, page.slug);
      const { slug } = await visit.submit(updateWikiPage, {
        ...asked,
        format: page.format,
        // With a slash, so that the title begins at the top folder.
        ...(title !== undefined && { title: `/${title}` }),
        ...(content !== undefined && { content: withLineEndsOf(page.content ?? '', content) }),
      });
      return wikiPath(project, slug);
    },
    delete: async (visit, project, address) => {
      await visit.ask(deleteWikiPage, askedAt(project, address));
      return below(project, 'wikis/pages');
    },
  },
};

const askedAt = (project: ProjectRef, { params: { slug = '' } }: RouteAddress) => ({ id: String(project.id), slug });

/** The title is the whole path, as users write it. */
const valuesOf = ({ slug, content = '' }: WikiPage) => ({ title: slug.replaceAll('-', ' '), content });

interface EditProps {
  visit: Visit;
  project: ProjectRef;
  address: RouteAddress;
  page: WikiPage;
}

const EditForm = ({ visit, project, address, page }: EditProps) => {
  const { content, format, slug } = page;
  if (content === undefined || content.length > mostOfContent || !fitsTextArea(content))
    return <p class="dim">This page is too large for a form, or not a text. Change it with git.</p>;
  const values = valuesOf(page);
  return (
    <Form visit={visit} address={address} name="wiki-page">
      <Was values={values} />
      <WikiFields values={values} format={formatNames[format]} />
      <button type="submit">Save</button>
      <a href={wikiPath(project, slug)}>Cancel</a>
    </Form>
  );
};

const formatNames = { markdown: 'Markdown', rdoc: 'RDoc', asciidoc: 'AsciiDoc', org: 'Org' } as const;
