import {
  deleteProjectSnippet,
  deleteSnippet,
  getProjectSnippet,
  getSnippet,
  readSnippetFiles,
  type Snippet,
  updateProjectSnippet,
  updateSnippet,
} from '@moothall/contracts';
import { changesOf } from '../../forms/changes';
import type { SentForm } from '../../forms/sent-form';
import type { Address, ProjectPage, SitePage } from '../../page/page';
import { pathOf } from '../../parts/address';
import { below } from '../../parts/code-address';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { Form, Was } from '../../parts/form';
import { inProject } from '../../parts/in-project';
import type { Visit } from '../../visit/visits';
import { actionsOf } from './file-actions';
import { type FileSlot, type SnippetFile, sentSlots, sentSlotValues, slotsOf, slotValues } from './file-slots';
import { mayChange, mayChangeInProject } from './may-write-snippet';
import { projectSnippetAt, snippetAt } from './snippet-address';
import { SnippetFields, sentAttributes } from './snippet-fields';

/** Limit of the texts of all files together: longer ones are changed with programs. */
const mostCharacters = 1024 ** 2;

/** Forms that change and delete a personal snippet. */
export const editSnippetPage: SitePage = {
  at: '/-/snippets/:id/edit',
  async show(visit, address) {
    const snippet = await visit.ask(getSnippet, snippetAt(address));
    if (snippet.project_id !== null || !mayChange(visit, snippet)) return undefined;
    return { title: titleOf(snippet), width: 'wide', body: await editForms(visit, address, snippet) };
  },
  forms: {
    snippet: async (visit, address, sent) => {
      const snippet = await visit.ask(getSnippet, snippetAt(address));
      const changes = await changesIn(visit, snippet, sent);
      if (changes) await visit.submit(updateSnippet, { ...snippetAt(address), ...changes });
      return pathOf(snippet.web_url);
    },
    delete: async (visit, address) => {
      await visit.ask(deleteSnippet, snippetAt(address));
      return '/-/snippets';
    },
  },
};

/** Forms that change and delete a snippet of a project. */
export const editProjectSnippetPage: ProjectPage = {
  at: '/snippets/:id/edit',
  async show(visit, project, address) {
    const snippet = await visit.ask(getProjectSnippet, projectSnippetAt(project, address));
    if (!(await mayChangeInProject(visit, project, snippet))) return undefined;
    return inProject(visit, project, { title: titleOf(snippet), body: await editForms(visit, address, snippet) });
  },
  forms: {
    snippet: async (visit, project, address, sent) => {
      const asked = projectSnippetAt(project, address);
      const snippet = await visit.ask(getProjectSnippet, asked);
      const changes = await changesIn(visit, snippet, sent);
      if (changes) await visit.submit(updateProjectSnippet, { ...asked, ...changes });
      return pathOf(snippet.web_url);
    },
    delete: async (visit, project, address) => {
      await visit.ask(deleteProjectSnippet, projectSnippetAt(project, address));
      return below(project, 'snippets');
    },
  },
};

const titleOf = ({ id }: Snippet): string => `Edit snippet $${id}`;

const readFiles = (visit: Visit, { id }: Snippet): Promise<SnippetFile[]> =>
  visit.ask(readSnippetFiles, { id, characters: mostCharacters });

const valuesOf = ({ title, description, visibility }: Snippet, slots: readonly FileSlot[]) => ({
  title,
  description: description ?? '',
  visibility,
  ...slotValues(slots),
});

/** What an edit changes; undefined if nothing. @throws as `changesOf` and `actionsOf` */
async function changesIn(visit: Visit, snippet: Snippet, sent: SentForm) {
  const files = await readFiles(visit, snippet);
  const slots = sentSlots(sent);
  const now = { ...sentAttributes(sent), ...sentSlotValues(slots) };
  const changes = changesOf(sent, now, valuesOf(snippet, slotsOf(files, sent)));
  const actions = actionsOf(slots, changes, files);
  const attributes = Object.entries(changes).filter(([name]) => name in sentAttributes(sent));
  if (attributes.length === 0 && actions.length === 0) return undefined;
  return { ...Object.fromEntries(attributes), ...(actions.length > 0 && { files: actions }) };
}

async function editForms(visit: Visit, address: Address, snippet: Snippet) {
  const sent = address.refused?.sent.is('snippet') ? address.refused.sent : undefined;
  const slots = slotsOf(await readFiles(visit, snippet), sent);
  const values = valuesOf(snippet, slots);
  return (
    <>
      <Form visit={visit} address={address} name="snippet">
        <Was values={values} />
        <SnippetFields values={values} slots={slots} sent={sent} inProject={snippet.project_id !== null} />
        <button type="submit">Save</button>
        <a href={pathOf(snippet.web_url)}>Cancel</a>
      </Form>
      <ConfirmedAction
        name="delete"
        visit={visit}
        address={address}
        word="Delete snippet"
        consequence="The snippet is deleted with its files and its comments."
      />
    </>
  );
}
