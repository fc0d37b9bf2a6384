import {
  createGroup,
  createProject,
  deleteGroup,
  deleteGroupInvitation,
  deleteProjectInvitation,
  getProjectMember,
  inviteToGroup,
  inviteToProject,
  listGroupInvitations,
  listGroupMembers,
  listProjectInvitations,
  updateProjectInvitation,
  userChanged,
} from '@moothall/contracts';
import { eventually, itWithoutFaults, shareBetweenTests } from '@moothall/testing';
import { AcceptInvitations } from '../src/invitation/accept-invitations';
import { Invitations } from '../src/invitation/invitation.repository';
import { refusal, startProjects, uniqueName } from './projects-under-test';

const projects = shareBetweenTests(() => startProjects());

async function withProject() {
  const ann = await projects.user();
  const { id } = await projects.ask(ann, createProject, { name: uniqueName('tool') });
  return { ann, id: String(id) };
}
async function withGroup() {
  const ann = await projects.user();
  const path = uniqueName('group');
  const { id } = await projects.ask(ann, createGroup, { name: path, path });
  return { ann, id: String(id) };
}
const newEmail = () => `${uniqueName('guest')}@Example.com`;

it('wait for the address, and send it a mail', async () => {
  const { ann, id } = await withProject();
  const email = newEmail();
  const day = '2099-01-01';
  expect(await projects.ask(ann, inviteToProject, { id, email: [email], access_level: 30, expires_at: day })).toEqual({
    status: 'success',
  });
  expect((await projects.ask(ann, listProjectInvitations, { id })).items).toMatchObject([
    { invite_email: email, access_level: 30, expires_at: day, created_by_name: ann.name },
  ]);
  await eventually(
    () => projects.mails().some((mail) => mail.toLowerCase().includes(`to: ${email.toLowerCase()}`)),
    'the mail',
  );
  const again = await projects.ask(ann, inviteToProject, { id, email: [email.toLowerCase()], access_level: 10 });
  expect(again).toEqual({ status: 'error', message: { [email.toLowerCase()]: 'The member already exists' } });
});

it('become memberships when a user has the address', async () => {
  const [project, group] = [await withProject(), await withGroup()];
  const username = uniqueName('guest');
  const email = `${username}@example.com`;
  await projects.ask(project.ann, inviteToProject, { id: project.id, email: [email], access_level: 30 });
  await projects.ask(group.ann, inviteToGroup, { id: group.id, email: [email.toUpperCase()], access_level: 20 });
  const ben = await projects.user(username, { email });
  await projects.emit(userChanged, { user_id: ben.id, username, email, state: 'active' });
  await eventually(async () => {
    const { items } = await projects.ask(group.ann, listGroupMembers, { id: group.id });
    return items.some((member) => member.id === ben.id && member.access_level === 20);
  }, 'the membership');
  const member = await projects.ask(project.ann, getProjectMember, { id: project.id, user_id: ben.id });
  expect(member).toMatchObject({ access_level: 30 });
  expect((await projects.ask(project.ann, listProjectInvitations, { id: project.id })).items).toEqual([]);
});

it('are memberships immediately for existing users', async () => {
  const { ann, id } = await withProject();
  const [ben, cleo] = [await projects.user(undefined, { email: newEmail() }), await projects.user()];
  const input = { id, email: [ben.email.toUpperCase(), 'no address'], user_id: [cleo.id, 999_999], access_level: 30 };
  expect(await projects.ask(ann, inviteToProject, input)).toEqual({
    status: 'error',
    message: { 'no address': 'Invite email is invalid', 999999: expect.stringContaining('User Not Found') },
  });
  for (const { id: user_id } of [ben, cleo])
    expect(await projects.ask(ann, getProjectMember, { id, user_id })).toMatchObject({ access_level: 30 });
  expect((await projects.ask(ann, listProjectInvitations, { id })).items).toEqual([]);
});

it('are changed and withdrawn, within the level of the caller', async () => {
  const { ann, id } = await withProject();
  const email = newEmail();
  await projects.ask(ann, inviteToProject, { id, email: [email], access_level: 10 });
  const changed = await projects.ask(ann, updateProjectInvitation, { id, email, access_level: 40 });
  expect(changed).toMatchObject({ access_level: 40, expires_at: null });
  const day = await projects.ask(ann, updateProjectInvitation, { id, email, expires_at: '2099-01-01' });
  expect(day).toMatchObject({ access_level: 40, expires_at: '2099-01-01' });
  const tooHigh = projects.ask(ann, updateProjectInvitation, { id, email, access_level: 50 });
  expect((await refusal(tooHigh)).code).toBe('member.level_not_listed');
  const past = projects.ask(ann, updateProjectInvitation, { id, email, expires_at: '2020-01-01' });
  expect((await refusal(past)).code).toBe('common.invalid_record');
  const dev = await projects.user();
  await projects.ask(ann, inviteToProject, { id, user_id: [dev.id], access_level: 30 });
  expect((await refusal(projects.ask(dev, listProjectInvitations, { id }))).code).toBe('common.forbidden');
  await projects.ask(ann, deleteProjectInvitation, { id, email });
  expect((await refusal(projects.ask(ann, deleteProjectInvitation, { id, email }))).code).toBe('invitation.not_found');
});

it('are deleted with their group or project', async () => {
  const { ann, id } = await withGroup();
  const email = newEmail();
  await projects.ask(ann, inviteToGroup, { id, email: [email], access_level: 10 });
  await projects.ask(ann, deleteGroup, { id });
  const invitations = projects.running.app.get(Invitations, { strict: false });
  await eventually(
    async () => (await invitations.model.exists({ emailKey: email.toLowerCase() })) === null,
    'the end of the invitation',
  );
});

itWithoutFaults('are found without an event, and give no membership after they expired', async () => {
  const { ann, id } = await withGroup();
  const [ben, cleo] = [await projects.user(undefined, { email: newEmail() }), await projects.user()];
  const invitations = projects.running.app.get(Invitations, { strict: false });
  const given = { source: `group:${Number(id)}` as const, accessLevel: 30, createdById: ann.id };
  await invitations.add({ ...given, email: ben.email, expiresAt: null });
  await invitations.add({ ...given, email: cleo.email, expiresAt: '2020-01-01' });
  await projects.running.app.get(AcceptInvitations, { strict: false }).run();
  const { items } = await projects.ask(ann, listGroupMembers, { id });
  expect(items.map((member) => member.id)).toEqual(expect.arrayContaining([ben.id]));
  expect(items.map((member) => member.id)).not.toContain(cleo.id);
  expect((await projects.ask(ann, listGroupInvitations, { id })).items).toEqual([]);
});

itWithoutFaults('one is stored for two concurrent requests with one address', async () => {
  const { ann, id } = await withGroup();
  const email = newEmail();
  const invite = () => projects.ask(ann, inviteToGroup, { id, email: [email], access_level: 10 });
  const answers = await Promise.all([invite(), invite()]);
  expect(answers.map(({ status }) => status).sort()).toEqual(['error', 'success']);
  await projects.ask(ann, deleteGroupInvitation, { id, email });
});
