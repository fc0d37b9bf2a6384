import {
  createProjectVariable,
  deleteProjectVariable,
  getProjectVariable,
  type Project,
  updateProjectVariable,
} from '@moothall/contracts';
import type { FieldValues } from '../../forms/changes';
import { withLineEndsOf } from '../../forms/text-area';
import type { TakeForm } from '../../page/page';
import { below } from '../../parts/code-address';
import { changesIn, sentValues } from '../../parts/field-list';
import { savedAt } from '../../parts/saved';
import { newVariableFields, variableFields } from './variable-fields';
import { askedByName } from './variable-key';

/** Takes the forms of variables. */
export const variableForms: Readonly<Record<string, TakeForm<Project>>> = {
  'new-variable': async (visit, project, _address, sent) => {
    await visit.submit(createProjectVariable, { id: String(project.id), ...sentValues(newVariableFields, sent) });
    return pathOf(project);
  },
  'change-variable': async (visit, project, _address, sent) => {
    const asked = { id: String(project.id), ...askedByName(sent.text('of')) };
    const current = await visit.submit(getProjectVariable, asked);
    const changes = withLineEnds(changesIn(variableFields, sent, current), current.value);
    await visit.submitChanges(updateProjectVariable, asked, changes);
    return savedAt(pathOf(project));
  },
  'delete-variable': async (visit, project, _address, sent) => {
    await visit.submit(deleteProjectVariable, { id: String(project.id), ...askedByName(sent.text('of')) });
    return pathOf(project);
  },
};

const pathOf = (project: Project): string => below(project, 'variables');

const withLineEnds = ({ value, ...changes }: FieldValues, before: string | null): FieldValues => ({
  ...changes,
  ...(value !== undefined && { value: withLineEndsOf(before ?? '', value) }),
});
