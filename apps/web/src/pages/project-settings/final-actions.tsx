import {
  archiveProject,
  deleteProject,
  invalidRecord,
  listProjectTransferLocations,
  type Operation,
  type Project,
  type ProjectRef,
  transferProject,
  unarchiveProject,
  updateProject,
} from '@moothall/contracts';
import type { Address, TakeForm } from '../../page/page';
import { pathOf } from '../../parts/address';
import { CollapsedForm } from '../../parts/collapsed-form';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { Action, TextField } from '../../parts/form';
import type { Visit } from '../../visit/visits';

interface Props {
  visit: Visit;
  project: ProjectRef;
  address: Address;
}

/** Forms that change the address of a project, or who can write in it, or delete it; those that the visitor may send. */
export async function FinalActions({ visit, project, address }: Props) {
  const may = (operation: Operation) => visit.mayManage(operation, project);
  const [mayArchive, mayTransfer, mayDelete] = await Promise.all([
    may(archiveProject),
    may(transferProject),
    may(deleteProject),
  ]);
  const props = { visit, project, address };
  return (
    <>
      <h2>Move, archive or delete</h2>
      <Rename {...props} />
      {mayTransfer && <Transfer {...props} groups={await groupPaths(visit, project)} />}
      {mayArchive && (project.isArchived ? <Unarchive {...props} /> : <Archive {...props} />)}
      {mayDelete && <Delete {...props} />}
    </>
  );
}

/** The first groups that the project can be moved to, as suggestions. */
async function groupPaths(visit: Visit, { id }: ProjectRef): Promise<string[]> {
  const { items } = await visit.ask(listProjectTransferLocations, { id: String(id), per_page: 100 });
  return items.map(({ full_path }) => full_path);
}

const Rename = ({ project, ...form }: Props) => (
  <CollapsedForm
    {...form}
    name="rename"
    word="Change the path…"
    consequence="Links and clones with the old path are redirected."
  >
    <TextField name="path" label="Path" hint="The last part of the address." value={project.path} required />
    <button type="submit">Change the path</button>
  </CollapsedForm>
);

const Transfer = ({ groups, project, ...form }: Props & { groups: readonly string[] }) => (
  <CollapsedForm
    {...form}
    name="transfer"
    word="Transfer…"
    consequence="The project moves to another group or user. Members of the new group get access to it."
  >
    <TextField name="namespace" label="Path of the group, or username" suggestions={groups} required />
    <button type="submit">Transfer the project</button>
  </CollapsedForm>
);

const Archive = ({ project, ...form }: Props) => (
  <ConfirmedAction
    {...form}
    name="archive"
    word="Archive the project"
    consequence="Everybody who can see the project can read it. Nobody can write in it."
  />
);

const Unarchive = ({ project, ...form }: Props) => (
  <Action {...form} name="unarchive" word="Unarchive the project" look="quiet" />
);

const Delete = ({ project, ...form }: Props) => (
  <CollapsedForm
    {...form}
    name="delete"
    word="Delete…"
    consequence="The project is deleted with its repository, issues, merge requests and images. This cannot be undone."
  >
    <TextField name="confirm" label="Path of the project" hint={`Type ${project.fullPath} to confirm.`} required />
    <button type="submit" class="grave">
      Delete the project
    </button>
  </CollapsedForm>
);

const settingsOf = ({ web_url }: Project): string => `${pathOf(web_url)}/edit`;

export const finalForms: Readonly<Record<string, TakeForm<ProjectRef>>> = {
  rename: async (visit, { id }, _address, sent) =>
    settingsOf(await visit.submit(updateProject, { id: String(id), path: sent.text('path') })),
  transfer: async (visit, { id }, _address, sent) =>
    settingsOf(await visit.submit(transferProject, { id: String(id), namespace: sent.text('namespace') })),
  archive: async (visit, { id }) => settingsOf(await visit.ask(archiveProject, { id: String(id) })),
  unarchive: async (visit, { id }) => settingsOf(await visit.ask(unarchiveProject, { id: String(id) })),
  delete: async (visit, { id, fullPath, path }, _address, sent) => {
    if (sent.text('confirm').trim() !== fullPath) throw invalidRecord({ confirm: [`must be ${fullPath}`] });
    await visit.ask(deleteProject, { id: String(id) });
    // To its group or user.
    return `/${fullPath.slice(0, -path.length - 1)}`;
  },
};
