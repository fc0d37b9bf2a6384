import {
  createRemoteMirror,
  deleteRemoteMirror,
  getMirrorPublicKey,
  getRemoteMirror,
  listRemoteMirrors,
  type ProjectRef,
  syncRemoteMirror,
  updateRemoteMirror,
} from '@moothall/contracts';
import type { SentForm } from '../../forms/sent-form';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { changesIn, FieldList, sentValues } from '../../parts/field-list';
import { Form } from '../../parts/form';
import { inSettings } from '../../parts/in-settings';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { Saved, savedAt } from '../../parts/saved';
import type { Visit } from '../../visit/visits';
import { mirrorFields, newMirrorFields } from './mirror-fields';
import { type Mirror, MirrorRecord } from './mirror-record';

/** The push mirrors of a project. */
export const mirrorsPage: ProjectPage = {
  at: '/mirrors',
  async show(visit, project, address) {
    const asked = { id: String(project.id), page: pageOf(address), per_page: perPage };
    const { items } = await visit.ask(listRemoteMirrors, asked);
    const keys = await Promise.all(items.map((mirror) => publicKeyOf(visit, project, mirror)));
    return inSettings(visit, project, {
      title: 'Mirrors',
      body: (
        <>
          <Saved address={address} />
          <p>After each push, this server pushes the repository to its mirrors on other servers.</p>
          {items.length === 0 && <p class="dim">There are no mirrors.</p>}
          {items.map((mirror, at) => (
            <MirrorRecord key={mirror.id} visit={visit} address={address} mirror={mirror} publicKey={keys[at]} />
          ))}
          <Paging address={address} shown={items.length} />
          <h2>New mirror</h2>
          <Form visit={visit} address={address} name="new-mirror">
            <FieldList fields={newMirrorFields} values={{ enabled: 'true' }} />
            <button type="submit">Add mirror</button>
          </Form>
        </>
      ),
    });
  },
  forms: {
    'new-mirror': async (visit, project, _address, sent) => {
      await visit.submit(createRemoteMirror, { id: String(project.id), ...sentValues(newMirrorFields, sent) });
      return below(project, 'mirrors');
    },
    mirror: async (visit, project, _address, sent) => {
      const asked = mirrorIn(project, sent);
      const changes = changesIn(mirrorFields, sent, await visit.submit(getRemoteMirror, asked));
      await visit.submitChanges(updateRemoteMirror, asked, changes);
      return savedAt(below(project, 'mirrors'));
    },
    sync: async (visit, project, _address, sent) => {
      await visit.submit(syncRemoteMirror, mirrorIn(project, sent));
      return below(project, 'mirrors');
    },
    delete: async (visit, project, _address, sent) => {
      await visit.submit(deleteRemoteMirror, mirrorIn(project, sent));
      return below(project, 'mirrors');
    },
  },
};

const mirrorIn = (project: ProjectRef, sent: SentForm) => ({ id: String(project.id), mirror_id: sent.text('of') });

/** The key that the other server must accept; undefined if the mirror has none, or was deleted meanwhile. */
async function publicKeyOf(
  visit: Visit,
  project: ProjectRef,
  { id, auth_method }: Mirror,
): Promise<string | undefined> {
  if (auth_method !== 'ssh_public_key') return undefined;
  return (await visit.askIfSeen(getMirrorPublicKey, { id: String(project.id), mirror_id: id }))?.public_key;
}
