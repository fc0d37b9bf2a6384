import { createProjectSnippet, createSnippet } from '@moothall/contracts';
import type { SentForm } from '../../forms/sent-form';
import type { Address, ProjectPage, SitePage } from '../../page/page';
import { pathOf } from '../../parts/address';
import { Form } from '../../parts/form';
import { inProject } from '../../parts/in-project';
import type { Visit } from '../../visit/visits';
import { newFilesOf } from './file-actions';
import { sentSlots, slotsOf } from './file-slots';
import { mayCreate } from './may-write-snippet';
import { SnippetFields, sentAttributes } from './snippet-fields';

const form = 'new-snippet';
const title = 'New snippet';

/** A form for a new personal snippet. */
export const newSnippetPage: SitePage = {
  at: '/-/snippets/new',
  async show(visit, address) {
    if (!mayCreate(visit)) return undefined;
    return { title, width: 'wide', body: <NewSnippet visit={visit} address={address} inProject={false} /> };
  },
  forms: {
    [form]: async (visit, _address, sent) => pathOf((await visit.submit(createSnippet, sentSnippet(sent))).web_url),
  },
};

/** A form for a new snippet of a project. */
export const newProjectSnippetPage: ProjectPage = {
  at: '/snippets/new',
  async show(visit, project, address) {
    if (!(await visit.may(createProjectSnippet, project))) return undefined;
    return inProject(visit, project, { title, body: <NewSnippet visit={visit} address={address} inProject /> });
  },
  forms: {
    [form]: async (visit, project, _address, sent) => {
      const snippet = await visit.submit(createProjectSnippet, { id: String(project.id), ...sentSnippet(sent) });
      return pathOf(snippet.web_url);
    },
  },
};

const sentSnippet = (sent: SentForm) => ({ ...sentAttributes(sent), files: newFilesOf(sentSlots(sent)) });

const NewSnippet = ({ visit, address, inProject }: { visit: Visit; address: Address; inProject: boolean }) => (
  <Form visit={visit} address={address} name={form}>
    <SnippetFields
      values={{ visibility: 'private' }}
      slots={slotsOf([])}
      sent={address.refused?.sent}
      inProject={inProject}
    />
    <button type="submit">Create snippet</button>
  </Form>
);
