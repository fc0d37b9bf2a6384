import { Access, createProject, getNamespace, listGroups } from '@moothall/contracts';
import type { Address, SitePage } from '../page/page';
import { pathOf } from '../parts/address';
import { Check, Choice, Form, TextArea, TextField } from '../parts/form';
import { forUser } from '../parts/in-account';
import { visibilityOptions } from '../parts/visibility-options';
import type { Visit } from '../visit/visits';

/** A form for a new project; a link can choose where: `?namespace_id=5`. */
export const newProjectPage: SitePage = {
  at: '/projects/new',
  show: (visit, address) =>
    forUser(visit, address, async ({ username }) => ({
      title: 'New project',
      body: (
        <Form visit={visit} address={address} name="new-project">
          <TextField name="name" label="Name" required />
          <TextField
            name="path"
            label="Path"
            hint="The last part of its address. Without a path, it is made of the name."
          />
          <Choice
            name="namespace_id"
            label="Owner"
            value={address.query.get('namespace_id') ?? ''}
            options={[{ value: '', label: username }, ...(await groupOptions(visit, address))]}
          />
          <TextArea name="description" label="Description" rows={3} />
          <Choice name="visibility" label="Visibility" options={visibilityOptions} />
          <Check
            name="initialize_with_readme"
            label="Create a README file, so that the project can be cloned at once"
            value
          />
          <button type="submit">Create project</button>
        </Form>
      ),
    })),
  forms: {
    'new-project': async (visit, _address, sent) => {
      const { web_url } = await visit.submit(createProject, {
        name: sent.text('name'),
        path: sent.text('path') || undefined,
        namespace_id: sent.text('namespace_id'),
        description: sent.text('description'),
        visibility: sent.text('visibility'),
        initialize_with_readme: sent.flag('initialize_with_readme'),
      });
      return pathOf(web_url);
    },
  },
};

/** Groups in which the visitor may have the right to create projects; the operation decides. */
async function groupOptions(visit: Visit, { query }: Address) {
  const id = query.get('namespace_id');
  const [{ items }, given] = await Promise.all([
    visit.ask(listGroups, { min_access_level: Access.Developer, order_by: 'path', per_page: 100 }),
    id ? visit.askIfSeen(getNamespace, { id }) : undefined,
  ]);
  const isMissing = given?.kind === 'group' && !items.some((group) => group.id === given.id);
  return [...(isMissing ? [given] : []), ...items].map((group) => ({
    value: String(group.id),
    label: group.full_path,
  }));
}
