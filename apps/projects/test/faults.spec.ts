import {
  addJobTokenGroup,
  addJobTokenProject,
  type Caller,
  createBroadcastMessage,
  createGroup,
  createGroupBadge,
  createProject,
  createProjectForUser,
  createTopic,
  deleteBroadcastMessage,
  deleteGroupAttribute,
  deleteGroupBadge,
  deleteGroupInvitation,
  deleteProject,
  deleteProjectAttribute,
  deleteTopic,
  deleteUpload,
  denyGroupAccessRequest,
  getGroup,
  getGroupNotificationSettings,
  getJobTokenScope,
  getNotificationSettings,
  getProject,
  getProjectNotificationSettings,
  inviteToGroup,
  listBroadcastMessages,
  listGroupAccessRequests,
  listGroupAttributes,
  listGroupBadges,
  listGroupInvitations,
  listJobTokenGroups,
  listJobTokenProjects,
  listProjectAttributes,
  listProjects,
  listTopics,
  listUploads,
  mergeTopics,
  type Operation,
  type OutputOf,
  projectChanged,
  projectDeleted,
  removeJobTokenGroup,
  removeJobTokenProject,
  requestGroupAccess,
  setGroupAttribute,
  setGroupAvatar,
  setProjectAttribute,
  starProject,
  transferProject,
  transferProjectToGroup,
  updateBroadcastMessage,
  updateGroupBadge,
  updateGroupInvitation,
  updateGroupNotificationSettings,
  updateJobTokenScope,
  updateNotificationSettings,
  updateProject,
  updateProjectNotificationSettings,
  updateTopic,
  uploadFile,
} from '@moothall/contracts';
import {
  eventually,
  itUnderFaults,
  meetFaults,
  shareBetweenTests,
  throughFaults,
  UploadStore,
} from '@moothall/testing';
import { startProjects, uniqueName } from './projects-under-test';

meetFaults();

const projects = shareBetweenTests(() => startProjects());
const files = shareBetweenTests(() => UploadStore.start());

// A failure of the database, NATS or Redis must not be answered as success, or leave a part.
it('projects exist once if acknowledged, and not at all if refused', async () => {
  const ann = await projects.user();
  const { client } = projects;
  const made = await throughFaults(client, createProject, () =>
    projects.ask(ann, createProject, { name: uniqueName('tool'), visibility: 'public' }),
  );
  const listed = async () => {
    const { items } = await projects.ask(ann, listProjects, { owned: true, per_page: 100 });
    return items.map(({ id }) => id).sort((a, b) => a - b);
  };
  const ids = (all: { id: number }[]) => all.map(({ id }) => id).sort((a, b) => a - b);
  expect(await listed()).toEqual(ids(made));
  const isPublished = (id: number) => projects.events(projectChanged).some(({ data }) => data.project_id === id);
  await eventually(() => made.every(({ id }) => isPublished(id)), 'the events');

  const [first, ...others] = made as [OutputOf<typeof createProject>, ...typeof made];
  const id = String(first.id);
  const stars = await throughFaults(client, starProject, async () =>
    projects.ask(await projects.user(), starProject, { id }),
  );
  const counted = async () => (await projects.ask(ann, getProject, { id })).star_count;
  await eventually(async () => (await counted()) === stars.length, 'the count of stars');

  const paths = await throughFaults(client, updateProject, () =>
    projects.ask(ann, updateProject, { id, path: uniqueName('moved') }),
  );
  const groups = await throughFaults(client, createGroup, () =>
    projects.ask(ann, createGroup, { name: 'Group', path: uniqueName('group'), visibility: 'public' }),
  );
  await throughFaults(client, transferProject, async (turn) => {
    const group =
      groups[turn] ??
      (await projects.ask(ann, createGroup, { name: 'G', path: uniqueName('group'), visibility: 'public' }));
    await projects.ask(ann, transferProject, { id, namespace: group.id });
    const place = `${group.full_path}/${paths.at(-1)!.path}`;
    expect(await projects.ask(ann, getProject, { id: place })).toMatchObject({ id: first.id });
  });

  const gone = await throughFaults(client, deleteProject, async () => {
    const victim = others.pop() ?? (await projects.ask(ann, createProject, { name: uniqueName('tool') }));
    await projects.ask(ann, deleteProject, { id: String(victim.id) });
    return victim.id;
  });
  await eventually(async () => (await listed()).every((one) => !gone.includes(one)), 'the end of projects');
  const ended = (one: number) => projects.events(projectDeleted).some(({ data }) => data.project_id === one);
  await eventually(() => gone.every(ended), 'the events');
}, 180_000);

const urls = { link_url: 'https://example.com/a', image_url: 'https://example.com/a.svg' };
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type Act = (ann: Caller, id: string) => Promise<void>;

const newTool = (ann: Caller) => projects.ask(ann, createProject, { path: uniqueName('tool') });

/** An operation, and a call of it by the owner of a group, with assertions that must hold from then on. */
const rows: [Operation, (ann: Caller, id: string) => Promise<void>][] = [
  [
    updateNotificationSettings,
    async (ann) => {
      await projects.ask(ann, updateNotificationSettings, { level: 'watch' });
      expect(await projects.ask(ann, getNotificationSettings, {})).toMatchObject({ level: 'watch' });
    },
  ],
  [
    updateGroupNotificationSettings,
    async (ann, id) => {
      await projects.ask(ann, updateGroupNotificationSettings, { id, level: 'watch' });
      expect(await projects.ask(ann, getGroupNotificationSettings, { id })).toEqual({ level: 'watch' });
    },
  ],
  [
    updateProjectNotificationSettings,
    async (ann) => {
      const id = String((await projects.ask(ann, createProject, { path: uniqueName('tool') })).id);
      await projects.ask(ann, updateProjectNotificationSettings, { id, level: 'watch' });
      expect(await projects.ask(ann, getProjectNotificationSettings, { id })).toEqual({ level: 'watch' });
    },
  ],
  ...([inviteToGroup, updateGroupInvitation, deleteGroupInvitation] as const).map((operation): [Operation, Act] => [
    operation,
    async (ann, id) => {
      const email = `${uniqueName('invited')}@example.com`;
      const invited = await projects.ask(ann, inviteToGroup, { id, email: [email], access_level: 10 });
      if (operation === updateGroupInvitation)
        await projects.ask(ann, updateGroupInvitation, { id, email, access_level: 20 });
      if (operation === deleteGroupInvitation) await projects.ask(ann, deleteGroupInvitation, { id, email });
      const { items } = await projects.ask(ann, listGroupInvitations, { id });
      const level = operation === updateGroupInvitation ? 20 : 10;
      expect(invited).toEqual({ status: 'success' });
      expect(items.map(({ access_level }) => access_level)).toEqual(operation === deleteGroupInvitation ? [] : [level]);
    },
  ]),
  ...([createBroadcastMessage, updateBroadcastMessage, deleteBroadcastMessage] as const).map(
    (operation): [Operation, Act] => [
      operation,
      async () => {
        const root = await projects.user(undefined, { isAdmin: true });
        const { id } = await projects.ask(root, createBroadcastMessage, { message: 'first' });
        if (operation === updateBroadcastMessage)
          await projects.ask(root, updateBroadcastMessage, { id, message: 'second' });
        if (operation === deleteBroadcastMessage) await projects.ask(root, deleteBroadcastMessage, { id });
        const { items } = await projects.ask(root, listBroadcastMessages, {});
        const found = items.find((one) => one.id === id)?.message;
        const expected = { [updateBroadcastMessage.name]: 'second', [createBroadcastMessage.name]: 'first' };
        expect(found).toBe(expected[operation.name]);
      },
    ],
  ),
  ...([setGroupAttribute, deleteGroupAttribute] as const).map((operation): [Operation, Act] => [
    operation,
    async (_ann, id) => {
      const root = await projects.user(undefined, { isAdmin: true });
      await projects.ask(root, setGroupAttribute, { id, key: 'place', value: 'Oslo' });
      if (operation === deleteGroupAttribute) await projects.ask(root, deleteGroupAttribute, { id, key: 'place' });
      const { items } = await projects.ask(root, listGroupAttributes, { id });
      expect(items).toHaveLength(operation === setGroupAttribute ? 1 : 0);
    },
  ]),
  ...([setProjectAttribute, deleteProjectAttribute] as const).map((operation): [Operation, Act] => [
    operation,
    async (ann) => {
      const root = await projects.user(undefined, { isAdmin: true });
      const id = String((await projects.ask(ann, createProject, { path: uniqueName('tool') })).id);
      await projects.ask(root, setProjectAttribute, { id, key: 'place', value: 'Oslo' });
      if (operation === deleteProjectAttribute) await projects.ask(root, deleteProjectAttribute, { id, key: 'place' });
      const { items } = await projects.ask(root, listProjectAttributes, { id });
      expect(items).toHaveLength(operation === setProjectAttribute ? 1 : 0);
    },
  ]),
  ...([createTopic, updateTopic, deleteTopic, mergeTopics] as const).map((operation): [Operation, Act] => [
    operation,
    async (ann) => {
      const root = await projects.user(undefined, { isAdmin: true });
      const [name, other] = [uniqueName('topic'), uniqueName('other')];
      const make = (one: string) => projects.ask(root, createTopic, { name: one, title: 'first' });
      const [{ id: from }, { id: to }] = [await make(name), await make(other)];
      const { id } = await projects.ask(ann, createProject, { path: uniqueName('tool'), topics: [name] });
      if (operation === updateTopic) await projects.ask(root, updateTopic, { id: from, name: `${name}-2` });
      if (operation === deleteTopic) await projects.ask(root, deleteTopic, { id: from });
      if (operation === mergeTopics)
        await projects.ask(root, mergeTopics, { source_topic_id: from, target_topic_id: to });
      const expected = new Map<Operation, string[]>([
        [createTopic, [name]],
        [updateTopic, [`${name}-2`]],
        [deleteTopic, []],
        [mergeTopics, [other]],
      ]);
      expect(await projects.ask(ann, getProject, { id: String(id) })).toMatchObject({
        topics: expected.get(operation),
      });
      const { items } = await projects.ask(root, listTopics, { search: name });
      const isThere = operation === createTopic || operation === updateTopic;
      expect(items.map((topic) => topic.id)).toEqual(isThere ? [from] : []);
    },
  ]),
  [
    updateGroupBadge,
    async (ann, id) => {
      const { id: badge_id } = await projects.ask(ann, createGroupBadge, { id, ...urls });
      await projects.ask(ann, updateGroupBadge, { id, badge_id, name: 'build' });
      expect((await projects.ask(ann, listGroupBadges, { id })).items).toMatchObject([{ id: badge_id, name: 'build' }]);
    },
  ],
  [
    deleteGroupBadge,
    async (ann, id) => {
      const { id: badge_id } = await projects.ask(ann, createGroupBadge, { id, ...urls });
      await projects.ask(ann, deleteGroupBadge, { id, badge_id });
      expect((await projects.ask(ann, listGroupBadges, { id })).items).toEqual([]);
    },
  ],
  [
    denyGroupAccessRequest,
    async (ann, id) => {
      const ben = await projects.user();
      await projects.ask(ben, requestGroupAccess, { id });
      await projects.ask(ann, denyGroupAccessRequest, { id, user_id: ben.id });
      expect((await projects.ask(ann, listGroupAccessRequests, { id })).items).toEqual([]);
    },
  ],
  [
    setGroupAvatar,
    async (ann, id) => {
      await projects.ask(ann, setGroupAvatar, { id, file: files.add(png, 'face.png') });
      expect((await projects.ask(ann, getGroup, { id })).avatar_url).toMatch(/face\.png$/);
    },
  ],
  [
    deleteUpload,
    async (ann) => {
      const { id: made } = await projects.ask(ann, createProject, { path: uniqueName('tool') });
      const id = String(made);
      const { id: upload_id } = await projects.ask(ann, uploadFile, { id, file: files.add(png, 'face.png') });
      await projects.ask(ann, deleteUpload, { id, upload_id });
      expect((await projects.ask(ann, listUploads, { id })).items).toEqual([]);
      const sized = async () =>
        (await projects.ask(ann, getProject, { id, statistics: true })).statistics?.uploads_size;
      await eventually(async () => (await sized()) === 0, 'the count of bytes');
    },
  ],
  [
    transferProjectToGroup,
    async (ann, id) => {
      const { id: project_id, path } = await projects.ask(ann, createProject, { path: uniqueName('tool') });
      const group = await projects.ask(ann, transferProjectToGroup, { id, project_id: String(project_id) });
      const place = `${group.full_path}/${path}`;
      expect(await projects.ask(ann, getProject, { id: place })).toMatchObject({ id: project_id });
    },
  ],
  [
    createProjectForUser,
    async () => {
      const [root, ben] = [await projects.user(undefined, { isAdmin: true }), await projects.user()];
      const { id } = await projects.ask(root, createProjectForUser, { user_id: ben.id, path: uniqueName('tool') });
      const { items } = await projects.ask(ben, listProjects, { owned: true });
      expect(items.map((project) => project.id)).toEqual([id]);
    },
  ],
  [
    addJobTokenProject,
    async (ann) => {
      const [target, job] = [await newTool(ann), await newTool(ann)];
      const one = { id: String(target.id), target_project_id: job.id };
      await projects.ask(ann, addJobTokenProject, one);
      expect((await projects.ask(ann, listJobTokenProjects, one)).items).toMatchObject([
        { id: target.id },
        { id: job.id },
      ]);
      await projects.ask(ann, updateJobTokenScope, { id: one.id, enabled: false });
      await projects.ask(ann, removeJobTokenProject, one);
      expect((await projects.ask(ann, listJobTokenProjects, one)).items).toMatchObject([{ id: target.id }]);
      expect(await projects.ask(ann, getJobTokenScope, one)).toMatchObject({ inbound_enabled: false });
    },
  ],
  [
    addJobTokenGroup,
    async (ann, group) => {
      const one = { id: String((await newTool(ann)).id), target_group_id: Number(group) };
      await projects.ask(ann, addJobTokenGroup, one);
      expect((await projects.ask(ann, listJobTokenGroups, one)).items).toMatchObject([{ id: Number(group) }]);
      await projects.ask(ann, removeJobTokenGroup, one);
      expect((await projects.ask(ann, listJobTokenGroups, one)).items).toEqual([]);
    },
  ],
];

itUnderFaults.each(rows.map(([operation, act]) => [operation.name, operation, act] as const))(
  '%s takes effect once if acknowledged',
  async (_name, operation, act) => {
    await throughFaults(projects.client, operation, async () => {
      const ann = await projects.user();
      const given = { name: 'Group', path: uniqueName('group'), visibility: 'public' } as const;
      await act(ann, String((await projects.ask(ann, createGroup, given)).id));
    });
  },
  120_000,
);
