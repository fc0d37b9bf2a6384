import type { GroupRef, ProjectRef } from '@moothall/contracts';
import type { ParentPage } from '../../page/page';
import { changesIn, FieldList, sentValues } from '../../parts/field-list';
import { Form } from '../../parts/form';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { Saved, savedAt } from '../../parts/saved';
import { type BadgesOf, ofGroup, ofProject } from './badge-operations';
import { BadgeRecord, badgeFields } from './badge-record';

const placeholders =
  'In both addresses the server replaces %{project_path}, %{project_id}, %{project_name}, %{default_branch}, and %{commit_sha}, which is the latest commit of the default branch.';

/** The badges of a project, with those of its groups, or of a group. */
const badgesPageOf = <T extends { id: number }>({
  kind,
  operations,
  pathIn,
  within,
  readWebUrl,
}: BadgesOf<T>): ParentPage<T> => ({
  at: '/badges',
  async show(visit, parent, address) {
    if (!(await visit.mayManage(operations.create, parent))) return undefined;
    const asked = { id: String(parent.id), page: pageOf(address), per_page: perPage };
    const [{ items }, webUrl] = await Promise.all([visit.ask(operations.list, asked), readWebUrl(visit, parent)]);
    return within(visit, parent, {
      title: 'Badges',
      body: (
        <>
          <Saved address={address} />
          <p>
            A badge is an image with a link. Programs show it next to{' '}
            {kind === 'group' ? 'each project in the group' : 'the project'}.
          </p>
          {items.length === 0 && <p class="dim">There are no badges.</p>}
          {items.map((badge) => (
            <BadgeRecord
              key={badge.id}
              visit={visit}
              address={address}
              webUrl={webUrl}
              badge={badge}
              isOwn={badge.kind === kind}
            />
          ))}
          <Paging address={address} shown={items.length} />
          <h2>New badge</h2>
          <p class="hint">{placeholders}</p>
          <Form visit={visit} address={address} name="new-badge">
            <FieldList fields={badgeFields} />
            <button type="submit">Add badge</button>
          </Form>
        </>
      ),
    });
  },
  forms: {
    'new-badge': async (visit, parent, _address, sent) => {
      await visit.submit(operations.create, { id: String(parent.id), ...sentValues(badgeFields, sent) });
      return pathIn(parent, 'badges');
    },
    badge: async (visit, parent, _address, sent) => {
      const asked = { id: String(parent.id), badge_id: sent.text('of') };
      const changes = changesIn(badgeFields, sent, await visit.submit(operations.get, asked));
      await visit.submitChanges(operations.update, asked, changes);
      return savedAt(pathIn(parent, 'badges'));
    },
    delete: async (visit, parent, _address, sent) => {
      await visit.submit(operations.remove, { id: String(parent.id), badge_id: sent.text('of') });
      return pathIn(parent, 'badges');
    },
  },
});

export const badgesPage = badgesPageOf<ProjectRef>(ofProject);
export const groupBadgesPage = badgesPageOf<GroupRef>(ofGroup);
