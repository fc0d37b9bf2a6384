import {
  deleteGroup,
  type Group,
  type GroupRef,
  getGroup,
  invalidRecord,
  listGroupTransferLocations,
  transferGroup,
  updateGroup,
} from '@moothall/contracts';
import type { Address, TakeForm } from '../../page/page';
import { belowGroup } from '../../parts/code-address';
import { CollapsedForm } from '../../parts/collapsed-form';
import { TextField } from '../../parts/form';
import type { Visit } from '../../visit/visits';

interface Props {
  visit: Visit;
  group: GroupRef;
  address: Address;
}

/** Forms that change the address of a group, or delete it; those that the visitor may send. */
export async function FinalActions(props: Props) {
  const { visit, group } = props;
  const [mayTransfer, mayDelete] = await Promise.all([
    visit.mayManage(transferGroup, group),
    visit.mayManage(deleteGroup, group),
  ]);
  return (
    <>
      <h2>Move or delete</h2>
      <Rename {...props} />
      {mayTransfer && <Transfer {...props} groups={await groupPaths(visit, group)} />}
      {mayDelete && <Delete {...props} />}
    </>
  );
}

/** The first groups that the group can be moved to, as suggestions. */
async function groupPaths(visit: Visit, { id }: GroupRef): Promise<string[]> {
  const { items } = await visit.ask(listGroupTransferLocations, { id: String(id), per_page: 100 });
  return items.map(({ full_path }) => full_path);
}

const Rename = ({ group, ...form }: Props) => (
  <CollapsedForm
    {...form}
    name="rename"
    word="Change the path…"
    consequence="The address of each project and group in this group changes. Links and clones with the old path are redirected."
  >
    <TextField name="path" label="Path" hint="The last part of the address." value={group.path} required />
    <button type="submit">Change the path</button>
  </CollapsedForm>
);

const Transfer = ({ group: { parentId }, groups, ...form }: Props & { groups: readonly string[] }) => (
  <CollapsedForm
    {...form}
    name="transfer"
    word="Transfer…"
    consequence="The group moves to another group, with everything in it. Members of the new parent group get access to it."
  >
    <TextField
      name="group_id"
      label="Path of the new parent group"
      {...(parentId !== null && { hint: 'Leave it empty to move the group to the top level.' })}
      suggestions={groups}
      required={parentId === null}
    />
    <button type="submit">Transfer the group</button>
  </CollapsedForm>
);

const Delete = ({ group, ...form }: Props) => (
  <CollapsedForm
    {...form}
    name="delete"
    word="Delete…"
    consequence="The group is deleted with all projects and groups in it. This cannot be undone."
  >
    <TextField name="confirm" label="Path of the group" hint={`Type ${group.fullPath} to confirm.`} required />
    <button type="submit" class="grave">
      Delete the group
    </button>
  </CollapsedForm>
);

const settingsOf = ({ full_path }: Group): string => belowGroup({ fullPath: full_path }, 'edit');

export const finalForms: Readonly<Record<string, TakeForm<GroupRef>>> = {
  rename: async (visit, { id }, _address, sent) =>
    settingsOf(await visit.submit(updateGroup, { id: String(id), path: sent.text('path') })),
  transfer: async (visit, { id }, _address, sent) => {
    const group_id = await findGroupId(visit, sent.text('group_id').trim());
    return settingsOf(await visit.submit(transferGroup, { id: String(id), group_id }));
  },
  delete: async (visit, { id, fullPath, path }, _address, sent) => {
    if (sent.text('confirm').trim() !== fullPath) throw invalidRecord({ confirm: [`must be ${fullPath}`] });
    await visit.ask(deleteGroup, { id: String(id) });
    // To the group above it, if there is one.
    return `/${fullPath.slice(0, -path.length).replace(/\/$/, '')}`;
  },
};

/** @returns undefined for the top level @throws common.invalid_record if there is no such group */
async function findGroupId(visit: Visit, path: string): Promise<number | undefined> {
  if (path === '') return undefined;
  const group = await visit.askIfSeen(getGroup, { id: path, with_projects: false });
  if (!group) throw invalidRecord({ group_id: ['does not belong to a group'] });
  return group.id;
}
