import {
  createProjectBadge,
  deleteProjectBadge,
  getProjectBadge,
  listProjectBadges,
  updateProjectBadge,
} from '@moothall/contracts';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { changesIn, FieldList, sentValues } from '../../parts/field-list';
import { Form } from '../../parts/form';
import { inSettings } from '../../parts/in-settings';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { Saved, savedAt } from '../../parts/saved';
import { BadgeRecord, badgeFields } from './badge-record';

const placeholders =
  'In both addresses the server replaces %{project_path}, %{project_id}, %{project_name}, %{default_branch}, and %{commit_sha}, which is the latest commit of the default branch.';

/** The badges of a project: its own, and those of its groups. */
export const badgesPage: ProjectPage = {
  at: '/badges',
  async show(visit, project, address) {
    if (!(await visit.mayManage(createProjectBadge, project))) return undefined;
    const asked = { id: String(project.id), page: pageOf(address), per_page: perPage };
    const { items } = await visit.ask(listProjectBadges, asked);
    return inSettings(visit, project, {
      title: 'Badges',
      body: (
        <>
          <Saved address={address} />
          <p>A badge is an image with a link. Programs show it next to the project.</p>
          {items.length === 0 && <p class="dim">There are no badges.</p>}
          {items.map((badge) => (
            <BadgeRecord key={badge.id} visit={visit} address={address} project={project} badge={badge} />
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
    'new-badge': async (visit, project, _address, sent) => {
      await visit.submit(createProjectBadge, { id: String(project.id), ...sentValues(badgeFields, sent) });
      return below(project, 'badges');
    },
    badge: async (visit, project, _address, sent) => {
      const asked = { id: String(project.id), badge_id: sent.text('of') };
      const changes = changesIn(badgeFields, sent, await visit.submit(getProjectBadge, asked));
      await visit.submitChanges(updateProjectBadge, asked, changes);
      return savedAt(below(project, 'badges'));
    },
    delete: async (visit, project, _address, sent) => {
      await visit.submit(deleteProjectBadge, { id: String(project.id), badge_id: sent.text('of') });
      return below(project, 'badges');
    },
  },
};
