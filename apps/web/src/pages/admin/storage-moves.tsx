import { listStorageMoves, type OutputOf, scheduleStorageMove } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Address, SitePage } from '../../page/page';
import { Form, TextField } from '../../parts/form';
import { inAdmin } from '../../parts/in-admin';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { Moment } from '../../parts/time';
import type { Visit } from '../../visit/visits';

const path = '/admin/repository_storage_moves';

type StorageMove = OutputOf<typeof listStorageMoves>['items'][number];

/** The moves of repositories between storages, newest first. */
export const storageMovesPage: SitePage = {
  at: path,
  show: (visit, address) =>
    inAdmin(visit, address, async () => {
      const { items } = await visit.ask(listStorageMoves, { page: pageOf(address), per_page: perPage });
      return {
        title: 'Storage moves',
        body: (
          <>
            <p>A move brings the repository and the wiki of a project to another storage.</p>
            {items.length === 0 && <p class="dim">There are no moves.</p>}
            <ul class="list">
              {items.map((move) => (
                <li key={move.id}>
                  <MoveItem move={move} />
                </li>
              ))}
            </ul>
            <Paging address={address} shown={items.length} />
            <NewMove visit={visit} address={address} />
          </>
        ),
      };
    }),
  forms: {
    'new-move': async (visit, _address, sent) => {
      const destination = sent.text('destination_storage_name').trim();
      await visit.submit(scheduleStorageMove, {
        id: sent.text('project').trim(),
        ...(destination && { destination_storage_name: destination }),
      });
      return path;
    },
  },
};

const MoveItem = ({ move }: { move: StorageMove }) => (
  <>
    <p>
      <a href={`/${move.project.path_with_namespace}`}>
        <Named>{move.project.name_with_namespace}</Named>
      </a>
      <span class="tag after">{move.state}</span>
    </p>
    <ul class="facts">
      <li>
        From <Named>{move.source_storage_name}</Named> to <Named>{move.destination_storage_name}</Named>
      </li>
      <li>
        <Moment at={move.created_at} />
      </li>
    </ul>
    {move.error_message && (
      <p>
        <Named>{move.error_message}</Named>
      </p>
    )}
  </>
);

const NewMove = ({ visit, address }: { visit: Visit; address: Address }) => (
  <>
    <h2>Move a project</h2>
    <Form visit={visit} address={address} name="new-move">
      <TextField name="project" label="Path of the project" hint="For example group/project." required />
      <TextField
        name="destination_storage_name"
        label="Storage"
        hint="Leave it empty to let the server choose another storage."
      />
      <button type="submit">Move project</button>
    </Form>
  </>
);
