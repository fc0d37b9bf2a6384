import {
  Access,
  type AccessLevel,
  type Caller,
  createProjectSnippet,
  createSnippet,
  createSnippetNote,
  createSnippetNoteAward,
  deleteProjectSnippet,
  deleteSnippet,
  getProjectSnippet,
  getProjectSnippetUserAgent,
  getRawProjectSnippet,
  getRawSnippet,
  getRawSnippetFile,
  getSnippet,
  getSnippetNote,
  getSnippetUserAgent,
  type InputOf,
  listProjectSnippets,
  listPublicSnippets,
  listSnippetNotes,
  listSnippets,
  type OperationError,
  type ProjectRef,
  projectDeleted,
  projectRefs,
  readSnippetFiles,
  updateProjectSnippet,
  updateSnippet,
  userDeleted,
} from '@moothall/contracts';
import { eventually } from '@moothall/testing';
import { CollaborationUnderTest } from './collaboration-under-test';

describe('snippets', () => {
  let world: CollaborationUnderTest;
  const levels = new Map<string, AccessLevel>();

  beforeAll(async () => {
    world = await CollaborationUnderTest.start();
    world.service.respond(projectRefs, ({ ids, user_id }) =>
      ids.flatMap((id) => {
        const project = world.projects.get(id);
        return project ? { ...project, accessLevel: levels.get(`${user_id}/${id}`) ?? Access.None } : [];
      }),
    );
  });
  afterAll(() => world.stop());

  const join = (user: Caller, project: ProjectRef, level: AccessLevel): void => {
    levels.set(`${user.id}/${project.id}`, level);
  };
  const as = (caller: Caller | undefined) => ({ requestId: 'test', caller });
  const draft = { title: 'A snippet', file_name: 'a.rb', content: 'puts 1\n' };
  const make = (author: Caller, over: Partial<InputOf<typeof createSnippet>> = {}) =>
    world.call(createSnippet, { ...draft, ...over }, as(author));
  const makeIn = (project: ProjectRef, author: Caller, over: Partial<InputOf<typeof createProjectSnippet>> = {}) =>
    world.inProject(createProjectSnippet, project, author, Access.Reporter, {
      ...draft,
      visibility: 'private',
      ...over,
    });
  const read = async (presigned: { url: string }) => {
    const response = await fetch(presigned.url);
    return { type: response.headers.get('content-type'), text: await response.text() };
  };
  const code = (promise: Promise<unknown>) =>
    promise.then(
      () => 'ok',
      (error: OperationError) => error.code,
    );

  describe('of a person', () => {
    it('are created, read, changed and deleted', async () => {
      const author = world.user();
      const made = await make(author, { description: 'Prints', visibility: 'public' });
      expect(made).toMatchObject({
        title: 'A snippet',
        file_name: 'a.rb',
        description: 'Prints',
        visibility: 'public',
        author: { id: author.id, username: author.username },
        expires_at: null,
        project_id: null,
        web_url: `http://moothall.test/-/snippets/${made.id}`,
        raw_url: `http://moothall.test/-/snippets/${made.id}/raw`,
        files: [{ path: 'a.rb', raw_url: `http://moothall.test/-/snippets/${made.id}/raw/main/a.rb` }],
      });
      const raw = await world.call(getRawSnippet, { id: made.id }, as(undefined));
      expect(await read(raw)).toEqual({ type: 'text/plain; charset=utf-8', text: 'puts 1\n' });
      const changed = await world.call(updateSnippet, { id: made.id, title: 'New', content: 'puts 2' }, as(author));
      expect(changed).toMatchObject({ title: 'New', description: 'Prints', file_name: 'a.rb' });
      expect((await read(await world.call(getRawSnippet, { id: made.id }, as(author)))).text).toBe('puts 2');
      await world.call(deleteSnippet, { id: made.id }, as(author));
      expect(await code(world.call(getSnippet, { id: made.id }, as(author)))).toBe('snippet.not_found');
    });

    it('have beginnings of their files, in equal shares, for the same readers', async () => {
      const author = world.user();
      const [path, other] = ['a.txt', 'b.txt'];
      const files = [
        { file_path: path, content: 'x'.repeat(11) },
        { file_path: other, content: 'y'.repeat(10) },
      ];
      const { id } = await make(author, { visibility: 'private', content: undefined, file_name: undefined, files });
      const asked = { id, characters: 20 };
      expect(await world.call(readSnippetFiles, asked, as(author))).toEqual([
        { path, text: 'x'.repeat(10), is_whole: false },
        { path: other, text: 'y'.repeat(10), is_whole: true },
      ]);
      expect(await code(world.call(readSnippetFiles, asked, as(world.user())))).toBe('snippet.not_found');
    });

    it('are visible by their visibility level', async () => {
      const [author, other, admin] = [world.user(), world.user(), world.user({ isAdmin: true })];
      const external = world.user({ isExternal: true });
      const see = async (visibility: 'private' | 'internal' | 'public') => {
        const { id } = await make(author, { visibility });
        const seen = [author, admin, other, external, undefined].map((caller) =>
          code(world.call(getSnippet, { id }, as(caller))),
        );
        return (await Promise.all(seen)).map((each) => each === 'ok');
      };
      expect(await see('private')).toEqual([true, true, false, false, false]);
      expect(await see('internal')).toEqual([true, true, true, false, false]);
      expect(await see('public')).toEqual([true, true, true, true, true]);
    });

    it('are internal by default, and not created by external users', async () => {
      expect((await make(world.user())).visibility).toBe('internal');
      expect(await code(make(world.user({ isExternal: true })))).toBe('common.forbidden');
    });

    it('are changed only by their author: 403 for readers, 404 for others', async () => {
      const [author, other] = [world.user(), world.user()];
      const shown = await make(author, { visibility: 'public' });
      const hidden = await make(author, { visibility: 'private' });
      expect(await code(world.call(updateSnippet, { id: shown.id, title: 'x' }, as(other)))).toBe('common.forbidden');
      expect(await code(world.call(deleteSnippet, { id: shown.id }, as(other)))).toBe('common.forbidden');
      expect(await code(world.call(updateSnippet, { id: hidden.id, title: 'x' }, as(other)))).toBe('snippet.not_found');
    });

    it('are listed newest first: own ones, and public ones of everybody', async () => {
      const author = world.user();
      const project = world.project({ visibility: 'public' });
      const first = await make(author, { visibility: 'private' });
      const second = await make(author, { visibility: 'public' });
      const third = await makeIn(project, author, { visibility: 'public' });
      const own = await world.call(listSnippets, {}, as(author));
      expect(own.items.map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
      expect(own.items[0]!.web_url).toBe(`http://moothall.test/${project.fullPath}/-/snippets/${third.id}`);
      const shown = await world.call(listPublicSnippets, { per_page: 100 }, as(world.user()));
      const ids = shown.items.map(({ id }) => id);
      expect(ids).toContain(second.id);
      expect(ids).not.toContain(first.id);
      expect(ids).not.toContain(third.id);
    });

    it('contain several files', async () => {
      const author = world.user();
      const files = [
        { file_path: 'a.md', content: '# a' },
        { file_path: 'src/b.rb', content: 'b' },
      ];
      const { id } = await make(author, { file_name: undefined, content: undefined, files });
      const file = (ref: string, file_path: string) =>
        world.call(getRawSnippetFile, { id, ref, file_path }, as(author));
      expect((await read(await file('main', 'src/b.rb'))).text).toBe('b');
      expect(await code(file('main', 'none'))).toBe('snippet.file_not_found');
      expect(await code(file('other', 'a.md'))).toBe('snippet.file_not_found');
      const change = { id, files: [{ action: 'delete' as const, file_path: 'a.md' }] };
      expect((await world.call(updateSnippet, change, as(author))).files.map(({ path }) => path)).toEqual(['src/b.rb']);
    });

    it('lose no file under two concurrent changes', async () => {
      const author = world.user();
      const { id } = await make(author);
      const add = (file_path: string) =>
        world.call(updateSnippet, { id, files: [{ action: 'create', file_path, content: file_path }] }, as(author));
      await Promise.all(['b', 'c', 'd', 'e'].map(add));
      const { files } = await world.call(getSnippet, { id }, as(author));
      expect(files.map(({ path }) => path).sort()).toEqual(['a.rb', 'b', 'c', 'd', 'e']);
    });

    it('show administrators the user agent of their creation', async () => {
      const client = { ip: '192.0.2.7', userAgent: 'curl/8' };
      const { id } = await world.call(createSnippet, draft, { ...as(world.user()), client });
      const admin = as(world.user({ isAdmin: true }));
      expect(await world.call(getSnippetUserAgent, { id }, admin)).toEqual({
        user_agent: 'curl/8',
        ip_address: '192.0.2.7',
        akismet_submitted: false,
        spamcheck_submitted: false,
      });
      const silent = await make(world.user());
      expect(await code(world.call(getSnippetUserAgent, { id: silent.id }, admin))).toBe('user_agent.not_found');
    });
  });

  describe('of a project', () => {
    it('are created, read, changed and deleted', async () => {
      const [project, author, maintainer] = [world.project(), world.user(), world.user()];
      const made = await makeIn(project, author);
      expect(made).toMatchObject({ project_id: project.id, visibility: 'private' });
      const here = { snippet_id: made.id };
      const raw = await world.inProject(getRawProjectSnippet, project, maintainer, Access.Guest, here);
      expect((await read(raw)).text).toBe('puts 1\n');
      const change = { ...here, title: 'New' };
      const changed = await world.inProject(updateProjectSnippet, project, maintainer, Access.Maintainer, change);
      expect(changed.title).toBe('New');
      await world.inProject(deleteProjectSnippet, project, author, Access.Guest, here);
      expect(await code(world.inProject(getProjectSnippet, project, author, Access.Owner, here))).toBe(
        'snippet.not_found',
      );
    });

    it('are changed by their author and by maintainers only, and not in an archived project', async () => {
      const [project, author, other] = [world.project(), world.user(), world.user()];
      const { id } = await makeIn(project, author);
      const change = (caller: Caller, level: AccessLevel, place = project) =>
        code(world.inProject(updateProjectSnippet, place, caller, level, { snippet_id: id, title: 'x' }));
      expect(await change(other, Access.Developer)).toBe('common.forbidden');
      expect(await change(other, Access.Maintainer)).toBe('ok');
      expect(await change(author, Access.Guest)).toBe('ok');
      expect(await change(author, Access.Guest, { ...project, isArchived: true })).toBe('project.archived');
    });

    it('are visible to members, or by their visibility level', async () => {
      const project = world.project({ visibility: 'public' });
      const [author, member, other] = [world.user(), world.user(), world.user()];
      const external = world.user({ isExternal: true });
      const ids: Record<number, string> = {};
      for (const visibility of ['private', 'internal', 'public'] as const) {
        ids[(await makeIn(project, author, { visibility })).id] = visibility;
      }
      const list = async (caller: Caller | undefined, level: AccessLevel) => {
        const { items } = await world.inProject(listProjectSnippets, project, caller, level, {});
        for (const { id } of items)
          await world.inProject(getProjectSnippet, project, caller, level, { snippet_id: id });
        return items.map(({ id }) => ids[id]);
      };
      expect(await list(member, Access.Guest)).toEqual(['public', 'internal', 'private']);
      expect(await list(author, Access.None)).toEqual(['public', 'internal', 'private']);
      expect(await list(other, Access.None)).toEqual(['public', 'internal']);
      expect(await list(external, Access.None)).toEqual(['public']);
      expect(await list(undefined, Access.None)).toEqual(['public']);
    });

    it('are not found in another project', async () => {
      const { id } = await makeIn(world.project(), world.user(), { visibility: 'public' });
      const asked = world.inProject(getProjectSnippet, world.project(), world.user(), Access.Owner, { snippet_id: id });
      expect(await code(asked)).toBe('snippet.not_found');
    });

    it('are found by their id alone, by users who read the project', async () => {
      const [project, author, member] = [world.project(), world.user(), world.user()];
      const { id } = await makeIn(project, author);
      join(member, project, Access.Guest);
      expect(await code(world.call(getSnippet, { id }, as(member)))).toBe('ok');
      expect(await code(world.call(getSnippet, { id }, as(world.user())))).toBe('snippet.not_found');
      expect(await code(world.call(getSnippet, { id }, as(author)))).toBe('snippet.not_found');
    });

    it('show only administrators the user agent of their creation', async () => {
      const [project, author] = [world.project(), world.user()];
      const { id } = await makeIn(project, author);
      const asked = world.inProject(getProjectSnippetUserAgent, project, author, Access.Owner, { snippet_id: id });
      expect(await code(asked)).toBe('common.forbidden');
    });

    it('are commented on', async () => {
      const [project, author, other] = [world.project(), world.user(), world.user()];
      const { id } = await makeIn(project, author);
      const here = { snippet_id: id };
      const note = await world.inProject(createSnippetNote, project, other, Access.Guest, { ...here, body: 'Nice' });
      expect(note).toMatchObject({ body: 'Nice', noteable_id: id, noteable_type: 'Snippet', noteable_iid: null });
      const one = { ...here, note_id: (note as { id: number }).id };
      expect(await world.inProject(getSnippetNote, project, author, Access.Guest, one)).toMatchObject({
        title: 'A snippet',
        file_name: 'a.rb',
        expires_at: null,
        body: 'Nice',
      });
      const { items } = await world.inProject(listSnippetNotes, project, author, Access.Guest, here);
      expect(items.map(({ body }) => body)).toEqual(['Nice']);
      const tada = { ...one, name: 'tada' };
      const award = await world.inProject(createSnippetNoteAward, project, author, Access.Guest, tada);
      expect(award).toMatchObject({ name: 'tada', awardable_type: 'Note', awardable_id: one.note_id });
      const hidden = world.inProject(listSnippetNotes, project, other, Access.None, here);
      expect(await code(hidden)).toBe('snippet.not_found');
    });
  });

  describe('when their owner is deleted', () => {
    it('are deleted with their project', async () => {
      const [project, author] = [world.project(), world.user()];
      const { id } = await makeIn(project, author, { visibility: 'public' });
      const event = { project_id: project.id, full_path: project.fullPath, storage: project.storage };
      await world.service.emit(projectDeleted, event);
      await eventually(async () =>
        (await world.call(listSnippets, {}, as(author))).items.every((one) => one.id !== id),
      );
      await world.service.emit(projectDeleted, event);
    });

    it('are deleted with their author if personal, else assigned to the ghost user', async () => {
      const [project, author, ghost] = [world.project(), world.user(), world.user()];
      const personal = await make(author, { visibility: 'public' });
      const kept = await makeIn(project, author);
      const event = { user_id: author.id, username: author.username, hard_delete: false, ghost_user_id: ghost.id };
      await world.service.emit(userDeleted, event);
      const get = () => world.inProject(getProjectSnippet, project, ghost, Access.Guest, { snippet_id: kept.id });
      await eventually(async () => (await get()).author.id === ghost.id);
      expect(await code(world.call(getSnippet, { id: personal.id }, as(ghost)))).toBe('snippet.not_found');
    });
  });
});
