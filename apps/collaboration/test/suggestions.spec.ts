import {
  Access,
  applySuggestion,
  applySuggestions,
  type Caller,
  commonErrors,
  createMergeRequestDiscussion,
  type Discussion,
  type InputOf,
  listMergeRequestNotes,
  type Note,
  type ProjectRef,
  readLines,
  replaceLines,
  replyToMergeRequestDiscussion,
  updateMergeRequest,
  updateMergeRequestNote,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import type { Model } from 'mongoose';
import type { NoteDocument } from '../src/activity/note.schema';
import { codeOf, MergeRequestWorld } from './merge-request-world';

const world = shareBetweenTests(() => MergeRequestWorld.start());

const { Guest, Developer } = Access;

/** Files of branches and commits, as the repository service would have them. */
const files = new Map<string, string>();
const commits: InputOf<typeof replaceLines>[] = [];

const keyOf = (project: Pick<ProjectRef, 'id'>, revision: string, path: string) => `${project.id}/${revision}/${path}`;

beforeEach(() => {
  const { respond } = world.world.service;
  respond(readLines, ({ ranges }, { project }) =>
    ranges.map(({ revision, path, first, last }) => {
      const lines = (files.get(keyOf(project!, revision, path)) ?? '').match(/[^\n]*\n/g) ?? [];
      return lines.slice(first - 1, last).join('') || null;
    }),
  );
  respond(replaceLines, (input, { project }) => commit(input, project!));
});

function commit(input: InputOf<typeof replaceLines>, project: ProjectRef) {
  const [one] = input.replacements;
  const key = keyOf(project, `refs/heads/${input.branch}`, one!.path);
  const lines = (files.get(key) ?? '').match(/[^\n]*\n/g) ?? [];
  for (const { first, last, before, after } of [...input.replacements].reverse()) {
    if (lines.slice(first - 1, last).join('') !== before) return null;
    lines.splice(first - 1, last - first + 1, after);
  }
  files.set(key, lines.join(''));
  commits.push(input);
  return { sha: 'a'.repeat(40) };
}

interface Opened {
  project: ProjectRef;
  author: Caller;
  on: { merge_request_iid: number };
  head: string;
}

async function opened(content = 'one\ntwo\nthree\n', over: Partial<ProjectRef> = {}): Promise<Opened> {
  const project = world.project(over);
  const author = world.member(project);
  const head = world.tip(project, 'feature')!;
  for (const revision of [head, 'refs/heads/feature']) files.set(keyOf(project, revision, 'a.txt'), content);
  const { iid } = await world.open(project, author);
  return { project, author, on: { merge_request_iid: iid }, head };
}

const block = (info: string, ...lines: string[]) => [`\`\`\`suggestion${info}`, ...lines, '```'].join('\n');

async function say({ project, author, on, head }: Opened, body: string, line = 2): Promise<Note & { thread: string }> {
  const position = {
    ...{ base_sha: head, start_sha: head, head_sha: head, position_type: 'text' as const },
    ...{ new_path: 'a.txt', new_line: line },
  };
  const input = { ...on, body, position };
  const { id, notes } = (await world.world.inProject(
    createMergeRequestDiscussion,
    project,
    author,
    Developer,
    input,
  )) as Discussion;
  return { ...notes[0]!, thread: id };
}

const apply = (caller: Caller, id: number, commit_message?: string) =>
  world.world.call(applySuggestion, { id, commit_message }, { requestId: 'test', caller });

const applyAll = (caller: Caller, ids: number[]) =>
  world.world.call(applySuggestions, { ids }, { requestId: 'test', caller });

const shown = async ({ project, author, on }: Opened) => {
  const { items } = await world.world.inProject(listMergeRequestNotes, project, author, Developer, on);
  return items.flatMap(({ suggestions = [] }) => suggestions);
};

const branchText = ({ project }: Opened) => files.get(keyOf(project, 'refs/heads/feature', 'a.txt'));

describe('a note on a line', () => {
  it('suggests the content of its blocks', async () => {
    const on = await opened();
    const note = await say(on, `Better:\n${block(':-1+0', 'ONE', 'TWO')}\nor\n${block('')}`);
    const both = [
      {
        from_line: 1,
        to_line: 2,
        from_content: 'one\ntwo\n',
        to_content: 'ONE\nTWO\n',
        appliable: true,
        applied: false,
      },
      { from_line: 2, to_line: 2, from_content: 'two\n', to_content: '' },
    ];
    expect(note.suggestions).toMatchObject(both);
    expect(await shown(on)).toMatchObject(both);
  });

  it('suggests nothing outside of the file, on other commits, or without a block', async () => {
    const on = await opened();
    expect((await say(on, block('', 'x'), 9)).suggestions).toEqual([]);
    expect((await say({ ...on, head: 'b'.repeat(40) }, block('', 'x'))).suggestions).toEqual([]);
    expect((await say(on, 'Fine')).suggestions).toEqual([]);
    const closed = { ...on.project.features, repository: 'disabled' as const };
    expect((await say({ ...on, project: { ...on.project, features: closed } }, block('', 'x'))).suggestions).toEqual(
      [],
    );
  });

  it('keeps line endings, and ends with the file', async () => {
    const on = await opened('one\r\ntwo\r\n');
    const note = await say(on, block(':-5+5', 'x', 'y'));
    expect(note.suggestions).toMatchObject([{ from_line: 1, to_line: 2, to_content: 'x\r\ny\r\n' }]);
  });

  it('has new suggestions when its text changes, and so do answers', async () => {
    const on = await opened();
    const note = await say(on, block('', 'x'));
    const change = (body: string) => {
      const input = { ...on.on, note_id: note.id, body };
      return world.world.inProject(updateMergeRequestNote, on.project, on.author, Developer, input);
    };
    expect((await change(block('', 'y'))).suggestions).toMatchObject([{ to_content: 'y\n', appliable: true }]);
    expect((await change('No more')).suggestions).toEqual([]);
    const input = { ...on.on, discussion_id: note.thread, body: block('', 'z') };
    const answer = await world.world.inProject(replyToMergeRequestDiscussion, on.project, on.author, Developer, input);
    expect(answer).toMatchObject({ suggestions: [{ from_content: 'two\n', to_content: 'z\n' }] });
  });

  it('has suggestions that are outdated once a push has changed their lines', async () => {
    const on = await opened();
    await say(on, block('', 'x'));
    await say(on, block('', 'x'), 1);
    const before = world.tip(on.project, 'feature');
    const head = world.commit(on.project, 'feature', 'third');
    files.set(keyOf(on.project, head, 'a.txt'), 'one\n2\n');
    await world.push(on.project, on.author, 'feature', before);
    await eventually(async () => (await shown(on)).some(({ appliable }) => !appliable));
    const appliable = (await shown(on)).map(({ from_line, appliable }) => [from_line, appliable]);
    expect(Object.fromEntries(appliable)).toEqual({ 1: true, 2: false });
  });
});

describe('a suggestion that is applied', () => {
  it('is committed to the source branch, and cannot be applied again', async () => {
    const on = await opened();
    const [suggestion] = (await say(on, block('', 'TWO'))).suggestions!;
    expect(await apply(on.author, suggestion!.id)).toMatchObject({ applied: true, appliable: false });
    expect(branchText(on)).toBe('one\nTWO\nthree\n');
    expect(commits.at(-1)).toMatchObject({ branch: 'feature', message: 'Apply 1 suggestion(s) to 1 file(s)' });
    expect(await shown(on)).toMatchObject([{ applied: true, appliable: false }]);
    expect(await codeOf(apply(on.author, suggestion!.id))).toBe('suggestion.not_applicable');
  });

  it('has the given message, or that of the project', async () => {
    const on = await opened();
    const [one, other] = [await say(on, block('', 'x'), 1), await say(on, block('', 'y'))];
    await apply(on.author, one.suggestions![0]!.id, 'As given');
    expect(commits.at(-1)?.message).toBe('As given');
    world.settings.set(on.project.id, { suggestion_commit_message: '%{username} on %{branch_name}: %{file_paths}' });
    await apply(on.author, other.suggestions![0]!.id);
    expect(commits.at(-1)?.message).toBe(`${on.author.username} on feature: a.txt`);
  });

  it('is applied once under two concurrent requests', async () => {
    const on = await opened();
    // The replacement starts with the same line: a second commit of it would also apply.
    const [suggestion] = (await say(on, block('', 'two', 'and'))).suggestions!;
    const codes = await Promise.all([1, 2].map(() => codeOf(apply(on.author, suggestion!.id))));
    expect(codes.sort()).toEqual(['ok', 'suggestion.not_applicable']);
    expect(branchText(on)).toBe('one\ntwo\nand\nthree\n');
  });

  it('is unchanged if the commit is refused, and if it does not apply', async () => {
    const on = await opened();
    const [suggestion] = (await say(on, block('', 'TWO'))).suggestions!;
    world.world.service.respond(replaceLines, () => commonErrors.forbidden());
    expect(await codeOf(apply(on.author, suggestion!.id))).toBe('common.forbidden');
    world.world.service.respond(replaceLines, () => null);
    await expect(apply(on.author, suggestion!.id)).rejects.toMatchObject({
      value: { message: expect.stringMatching(/were changed in a more recent version/) },
    });
    expect(await shown(on)).toMatchObject([{ applied: false, appliable: true }]);
  });

  it('is only recorded if a stop came after the commit', async () => {
    const on = await opened();
    const [suggestion] = (await say(on, block('', 'two', 'and'))).suggestions!;
    files.set(keyOf(on.project, 'refs/heads/feature', 'a.txt'), 'one\ntwo\nand\nthree\n');
    const notes = world.world.service.running.app.get<Model<NoteDocument>>('NoteModel', { strict: false });
    const long = new Date(Date.now() - 3_600_000);
    await notes.updateOne({ 'suggestions.id': suggestion!.id }, { $set: { 'suggestions.$.applyingSince': long } });
    expect(await apply(on.author, suggestion!.id)).toMatchObject({ applied: true });
    expect(branchText(on)).toBe('one\ntwo\nand\nthree\n');
  });

  it('requires push access to the source branch', async () => {
    const on = await opened();
    const [suggestion] = (await say(on, block('', 'TWO'))).suggestions!;
    const [guest, stranger] = [world.member(on.project, Guest), world.world.user()];
    expect(await codeOf(apply(guest, suggestion!.id))).toMatch(/common.forbidden|suggestion.not_found/);
    expect(await codeOf(apply(stranger, suggestion!.id))).toMatch(/common.forbidden|suggestion.not_found/);
    expect(await codeOf(apply(on.author, 999_999_999))).toBe('suggestion.not_found');
  });

  it('is refused if the merge request is closed', async () => {
    const on = await opened();
    const [suggestion] = (await say(on, block('', 'TWO'))).suggestions!;
    const close = { ...on.on, state_event: 'close' as const };
    await world.world.inProject(updateMergeRequest, on.project, on.author, Developer, close);
    expect(await shown(on)).toMatchObject([{ appliable: false }]);
    expect(await codeOf(apply(on.author, suggestion!.id))).toBe('suggestion.not_applicable');
  });
});

describe('several suggestions', () => {
  it('are one commit', async () => {
    const on = await opened();
    const [one, other] = [await say(on, block('', 'ONE'), 1), await say(on, block('', 'THREE'), 3)];
    const ids = [other, one].map(({ suggestions }) => suggestions![0]!.id);
    const before = commits.length;
    expect(await applyAll(on.author, ids)).toMatchObject([{ applied: true }, { applied: true }]);
    expect([branchText(on), commits.length - before]).toEqual(['ONE\ntwo\nTHREE\n', 1]);
    expect(commits.at(-1)?.message).toBe('Apply 2 suggestion(s) to 1 file(s)');
  });

  it('are all refused if one overlaps, is missing, already applied, or of another branch', async () => {
    const on = await opened();
    const id = async (body: string, line: number, of = on) => (await say(of, body, line)).suggestions![0]!.id;
    const [wide, single, other] = [
      await id(block(':-1+0', 'x'), 2),
      await id(block('', 'y'), 1),
      await id(block('', 'z'), 3),
    ];
    expect(await codeOf(applyAll(on.author, [wide, single]))).toBe('suggestion.not_applicable');
    expect(await codeOf(applyAll(on.author, [wide, 999_999_999]))).toBe('suggestion.some_not_found');
    await apply(on.author, other);
    expect(await codeOf(applyAll(on.author, [wide, other]))).toBe('suggestion.not_applicable');
    const elsewhere = await opened();
    world.join(on.author, elsewhere.project, Developer);
    const far = await id(block('', 'x'), 1, elsewhere);
    expect(await codeOf(applyAll(on.author, [wide, far]))).toBe('suggestion.not_applicable');
    expect(await codeOf(apply(on.author, wide))).toBe('ok');
  });
});
