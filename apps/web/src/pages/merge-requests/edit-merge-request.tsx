import { getMergeRequest, updateMergeRequest } from '@moothall/contracts';
import { changesOf } from '../../forms/changes';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { Form, TextField, Was } from '../../parts/form';
import { inProject } from '../../parts/in-project';
import { readPlanningChoices } from '../../parts/planning-fields';
import { mergeRequestAt, pathOfMergeRequest, readActions } from './merge-request-actions';
import { MergeRequestFields, mergeRequestValues, sentMergeRequest } from './merge-request-fields';

/** A form that changes a merge request. */
export const editMergeRequestPage: ProjectPage = {
  at: '/merge_requests/:iid/edit',
  async show(visit, project, address) {
    const request = await visit.ask(getMergeRequest, mergeRequestAt(project, address));
    if (!(await readActions(visit, project, request)).changes) return undefined;
    const choices = await readPlanningChoices(visit, project, request, [...request.assignees, ...request.reviewers]);
    const values = mergeRequestValues(request, choices !== undefined);
    return inProject(visit, project, {
      title: `Edit merge request !${request.iid}`,
      body: (
        <Form visit={visit} address={address} name="merge-request">
          <Was values={values} />
          <MergeRequestFields values={values} choices={choices} />
          <TextField name="target_branch" label="Target branch" value={values.target_branch} required />
          <button type="submit">Save</button>
          <a href={below(project, `merge_requests/${request.iid}`)}>Cancel</a>
        </Form>
      ),
    });
  },
  forms: {
    'merge-request': async (visit, project, address, sent) => {
      const asked = mergeRequestAt(project, address);
      const current = mergeRequestValues(await visit.ask(getMergeRequest, asked), true);
      const changes = changesOf(sent, sentMergeRequest(sent), current);
      await visit.submitChanges(updateMergeRequest, asked, changes);
      return pathOfMergeRequest(project, address);
    },
  },
};
