import { createReleaseLink, deleteReleaseLink, getRelease, updateRelease } from '@moothall/contracts';
import { changesOf } from '../../forms/changes';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { Form, Was } from '../../parts/form';
import { inProject } from '../../parts/in-project';
import { releaseAt } from './release-address';
import { ReleaseFields, readMilestoneChoices, releaseValues, sentRelease } from './release-fields';
import { EditLinks } from './release-links';

/** Forms that change a release and its links. */
export const editReleasePage: ProjectPage = {
  at: '/releases/*tag/edit',
  async show(visit, project, address) {
    if (!(await visit.may(updateRelease, project))) return undefined;
    const asked = releaseAt(project, address);
    const release = await visit.ask(getRelease, asked);
    const milestones = await readMilestoneChoices(visit, project, release.milestones);
    const values = releaseValues(release, milestones !== undefined);
    return inProject(visit, project, {
      title: `Edit release ${asked.tag_name}`,
      body: (
        <>
          <Form visit={visit} address={address} name="release">
            <Was values={values} />
            <ReleaseFields values={values} chosen={release.milestones} milestones={milestones} />
            <button type="submit">Save</button>
            <a href={below(project, 'releases', asked.tag_name)}>Cancel</a>
          </Form>
          <EditLinks visit={visit} address={address} links={release.assets.links} />
        </>
      ),
    });
  },
  forms: {
    release: async (visit, project, address, sent) => {
      const asked = releaseAt(project, address);
      const current = releaseValues(await visit.ask(getRelease, asked), true);
      const changes = changesOf(sent, sentRelease(sent), current);
      await visit.submitChanges(updateRelease, asked, changes);
      return below(project, 'releases', asked.tag_name);
    },
    'new-link': async (visit, project, address, sent) => {
      const asked = releaseAt(project, address);
      const [name, url, link_type] = [sent.text('name'), sent.text('url'), sent.text('link_type')];
      await visit.submit(createReleaseLink, { ...asked, name, url, link_type });
      return below(project, 'releases', asked.tag_name, 'edit');
    },
    'remove-link': async (visit, project, address, sent) => {
      const asked = releaseAt(project, address);
      await visit.submit(deleteReleaseLink, { ...asked, link_id: sent.text('of') });
      return below(project, 'releases', asked.tag_name, 'edit');
    },
  },
};
