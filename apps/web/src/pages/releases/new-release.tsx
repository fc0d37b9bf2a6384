import { createRelease, listBranches, listTags, type ProjectRef } from '@moothall/contracts';
import { filled } from '../../forms/filled';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { Form, TextField } from '../../parts/form';
import { inProject } from '../../parts/in-project';
import type { Visit } from '../../visit/visits';
import { ReleaseFields, readMilestoneChoices, sentRelease } from './release-fields';

/** Number of suggested tags and branches. */
const most = 100;

/** A form for a new release; a link to it can name the tag: `?tag_name=v1`. */
export const newReleasePage: ProjectPage = {
  at: '/releases/new',
  async show(visit, project, address) {
    if (!(await visit.may(createRelease, project))) return undefined;
    const [{ tags, refs }, milestones] = await Promise.all([
      readSuggestions(visit, project),
      readMilestoneChoices(visit, project),
    ]);
    return inProject(visit, project, {
      title: 'New release',
      body: (
        <Form visit={visit} address={address} name="new-release">
          <TextField
            name="tag_name"
            label="Tag name"
            value={address.query.get('tag_name') ?? ''}
            suggestions={tags}
            required
          />
          <TextField
            name="ref"
            label="Create the tag from"
            hint="A branch, a tag or a commit. An existing tag stays where it is."
            value={project.defaultBranch ?? ''}
            suggestions={refs}
          />
          <ReleaseFields milestones={milestones} />
          <button type="submit">Create release</button>
        </Form>
      ),
    });
  },
  forms: {
    'new-release': async (visit, project, _address, sent) => {
      const tag_name = sent.text('tag_name');
      const fields = filled({ ref: sent.text('ref'), ...sentRelease(sent) });
      await visit.submit(createRelease, { id: String(project.id), ...fields, tag_name });
      return below(project, 'releases', tag_name);
    },
  },
};

async function readSuggestions(visit: Visit, project: ProjectRef): Promise<{ tags: string[]; refs: string[] }> {
  const asked = { id: String(project.id), per_page: most };
  const [tags, branches] = await Promise.all([visit.askIfSeen(listTags, asked), visit.askIfSeen(listBranches, asked)]);
  const namesOf = (refs: { items: readonly { name: string }[] } | undefined) =>
    (refs?.items ?? []).map(({ name }) => name);
  return { tags: namesOf(tags), refs: namesOf(branches) };
}
