import { createGroup, getGroup } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { SitePage } from '../page/page';
import { pathOf } from '../parts/address';
import { Choice, Form, Given, TextArea, TextField } from '../parts/form';
import { forUser } from '../parts/in-account';
import { visibilityOptions } from '../parts/visibility-options';

/** A form for a new group; with `?parent_id=5` for a subgroup. */
export const newGroupPage: SitePage = {
  at: '/groups/new',
  show: (visit, address) =>
    forUser(visit, address, async () => {
      const id = address.query.get('parent_id');
      const parent = id ? await visit.askIfSeen(getGroup, { id, with_projects: false }) : undefined;
      return {
        title: parent ? 'New subgroup' : 'New group',
        body: (
          <>
            {parent && (
              <p>
                Below{' '}
                <a href={`/groups/${parent.full_path}`}>
                  <Named>{parent.full_name}</Named>
                </a>
              </p>
            )}
            <Form visit={visit} address={address} name="new-group">
              {parent && <Given name="parent_id" value={String(parent.id)} />}
              <TextField name="name" label="Name" required />
              <TextField name="path" label="Path" hint="The last part of its address." required />
              <TextArea name="description" label="Description" rows={3} />
              <Choice
                name="visibility"
                label="Visibility"
                value={parent?.visibility ?? 'private'}
                options={visibilityOptions}
              />
              <button type="submit">Create group</button>
            </Form>
          </>
        ),
      };
    }),
  forms: {
    'new-group': async (visit, _address, sent) => {
      const { web_url } = await visit.submit(createGroup, {
        name: sent.text('name'),
        path: sent.text('path'),
        parent_id: sent.given('parent_id'),
        description: sent.text('description'),
        visibility: sent.text('visibility'),
      });
      return pathOf(web_url);
    },
  },
};
