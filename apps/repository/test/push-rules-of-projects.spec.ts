import {
  Access,
  commonErrors,
  createBranch,
  createCommit,
  createGroupPushRule,
  createProjectPushRule,
  createTag,
  deleteGroupPushRule,
  deleteProjectPushRule,
  deleteTag,
  expectLfsLocks,
  exportPushRules,
  type GroupRef,
  getGroupPushRule,
  getProjectPushRule,
  groupDeleted,
  importPushRules,
  lfsLocksOfOthers,
  missingLfsObjects,
  projectDeleted,
  updateGroupPushRule,
  updateProjectPushRule,
  usersByConfirmedEmail,
} from '@moothall/contracts';
import { callerNamed, contextOf, eventually, groupNamed, shareBetweenTests } from '@moothall/testing';
import { GitRunner } from '../src/git/process/run-git';
import { PushChecks } from '../src/push-check/push-checks';
import { PushRuleSets } from '../src/push-rule/push-rule.repository';
import { Storages } from '../src/storage/storages';
import { type ProjectUnderTest, startRepositoryService } from './repository-under-test';

const under = shareBetweenTests(() => startRepositoryService());

type Rules = Partial<Record<string, unknown>>;

async function projectWith(rules: Rules): Promise<ProjectUnderTest> {
  const made = await under.newProject();
  await under.client.call(createProjectPushRule, { id: 'x', ...rules }, made.context);
  return made;
}

const write = ({ context }: ProjectUnderTest, over: object = {}) =>
  under.client.call(
    createCommit,
    {
      id: 'x',
      branch: 'main',
      commit_message: 'add a file',
      actions: [{ action: 'create' as const, file_path: 'a.txt', content: 'a' }],
      ...over,
    },
    context,
  );
const named = (file_path: string, content = 'a') => ({ actions: [{ action: 'create' as const, file_path, content }] });
const refused = (message: string) => ({ value: { code: 'push_rule.refused', message } });

describe('the rules of a project', () => {
  it('are imported with an archive, but do not replace existing ones', async () => {
    const rules = { commit_message_regex: '^fix', max_file_size: 3, deny_delete_tag: true };
    const { context } = await projectWith(rules);
    const [from, to] = [await under.client.call(exportPushRules, {}, context), await under.newProject()];
    expect(from).toMatchObject([rules]);
    expect(await under.client.call(exportPushRules, {}, to.context)).toEqual([]);
    for (const given of [from[0]!, { max_file_size: 9 }]) await under.client.call(importPushRules, given, to.context);
    expect(await under.client.call(exportPushRules, {}, to.context)).toEqual(from);
    const bad = under.client.call(importPushRules, { file_name_regex: '(' }, (await under.newProject()).context);
    await expect(bad).rejects.toMatchObject({ code: 'common.invalid_record' });
  });

  it('are created once, changed by the given fields, and deleted', async () => {
    const { context, project } = await under.newProject();
    const ask = { id: 'x' };
    expect(await under.client.call(getProjectPushRule, ask, context)).toBeNull();
    const made = await under.client.call(createProjectPushRule, { ...ask, commit_message_regex: '^fix' }, context);
    expect(made).toMatchObject({ project_id: project.id, commit_message_regex: '^fix', max_file_size: 0 });
    const changed = await under.client.call(updateProjectPushRule, { ...ask, max_file_size: 3 }, context);
    expect(changed).toEqual({ ...made, max_file_size: 3 });
    expect(await under.client.call(getProjectPushRule, ask, context)).toEqual(changed);
    await under.client.call(deleteProjectPushRule, ask, context);
    expect(await under.client.call(getProjectPushRule, ask, context)).toBeNull();
    const gone = { code: 'push_rule.not_found' };
    await expect(under.client.call(deleteProjectPushRule, ask, context)).rejects.toMatchObject(gone);
    await expect(
      under.client.call(updateProjectPushRule, { ...ask, member_check: true }, context),
    ).rejects.toMatchObject(gone);
  });

  it('are created once under concurrent requests', async () => {
    const { context } = await under.newProject();
    const made = await Promise.allSettled(
      Array.from({ length: 8 }, () => under.client.call(createProjectPushRule, { id: 'x' }, context)),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of made)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'push_rule.exists' });
  });

  it.each([
    ['no pattern', '(', /RE2 syntax/],
    ['one of another kind', '(?!x)', /RE2 syntax/],
    ['one that repeats too much', '(abcdefghij){600}', /repeats too much/],
  ])('refuse %s', async (_what, commit_message_regex, words) => {
    const { context } = await under.newProject();
    const making = under.client.call(createProjectPushRule, { id: 'x', commit_message_regex }, context);
    await expect(making).rejects.toMatchObject({
      value: { message: { commit_message_regex: [expect.stringMatching(words)] } },
    });
  });

  it('are deleted with it', async () => {
    const { project } = await projectWith({});
    await under.emit(projectDeleted, {
      project_id: project.id,
      full_path: project.fullPath,
      storage: project.storage,
    });
    const rules = under.running.app.get(PushRuleSets, { strict: false });
    await eventually(async () => !(await rules.find({ kind: 'project', parentId: project.id })), 'their end');
  });
});

describe('the rules of a group', () => {
  const group = (over: Partial<GroupRef> = {}) => {
    const ref = groupNamed('team', { accessLevel: Access.Owner, ...over });
    return { ref, context: { ...contextOf({ group: ref }), group: ref, caller: callerNamed('ada') } };
  };

  it('are the initial rules of projects below, those of the nearest group', async () => {
    const [above, near] = [group(), group()];
    const { client } = under;
    await expect(client.call(getGroupPushRule, { id: 'x' }, near.context)).rejects.toMatchObject({
      code: 'push_rule.not_found',
    });
    await client.call(createGroupPushRule, { id: 'x', max_file_size: 9 }, above.context);
    await client.call(createGroupPushRule, { id: 'x', max_file_size: 1 }, near.context);
    await client.call(updateGroupPushRule, { id: 'x', branch_name_regex: '^x' }, near.context);
    expect(await client.call(getGroupPushRule, { id: 'x' }, near.context)).not.toHaveProperty('project_id');
    const { context, project } = await under.newProject({ groupIds: [7_000_000, near.ref.id, above.ref.id] });
    const own = { project_id: project.id, max_file_size: 1, branch_name_regex: '^x' };
    expect(await client.call(getProjectPushRule, { id: 'x' }, context)).toMatchObject(own);
    await client.call(deleteGroupPushRule, { id: 'x' }, near.context);
    expect(await client.call(getProjectPushRule, { id: 'x' }, context)).toMatchObject(own);
  });

  it('are deleted with it', async () => {
    const { ref, context } = group();
    await under.client.call(createGroupPushRule, { id: 'x' }, context);
    await under.emit(groupDeleted, { group_id: ref.id, full_path: 'team' });
    const rules = under.running.app.get(PushRuleSets, { strict: false });
    await eventually(async () => !(await rules.find({ kind: 'group', parentId: ref.id })), 'their end');
  });
});

describe('a commit through the interface', () => {
  it.each<[string, Rules, object, string]>([
    ['a message without', { commit_message_regex: '^fix:' }, {}, "Commit message does not follow the pattern '^fix:'"],
    [
      'a message with',
      { commit_message_negative_regex: 'file$' },
      { commit_message: 'add a file\n\nand more' },
      "Commit message contains the forbidden pattern 'file$'",
    ],
    ['no signoff', { reject_non_dco_commits: true }, {}, 'Commit message must contain a DCO signoff'],
    [
      'an address',
      { author_email_regex: '@corp\\.example$' },
      {},
      "Committer's email 'ada@example.com' does not follow the pattern '@corp\\.example$'",
    ],
    [
      'an author',
      { author_email_regex: '^ada@' },
      { author_email: 'eve@example.com' },
      "Author's email 'eve@example.com' does not follow the pattern '^ada@'",
    ],
    ['a stranger', { member_check: true }, {}, "Author 'ada@example.com' is not a member of team"],
    [
      'a file name',
      { file_name_regex: '\\.exe$' },
      named('dir/x.exe'),
      "File name dir/x.exe was prohibited by the pattern '\\.exe$'.",
    ],
    [
      'a secret',
      { prevent_secrets: true },
      named('home/.ssh/id_rsa'),
      'File name home/.ssh/id_rsa was prohibited, as such files hold secrets.',
    ],
    [
      'a large file',
      { max_file_size: 1 },
      named('big', 'x'.repeat(1024 ** 2 + 1)),
      'File "big" is larger than the allowed size of 1 MiB. Use Git LFS to manage this file.',
    ],
    [
      'a branch',
      { branch_name_regex: '^feature/' },
      { branch: 'topic', start_branch: 'main' },
      "Branch name 'topic' does not follow the pattern '^feature/'",
    ],
  ])('is refused for %s', async (_what, rules, over, words) => {
    under.respond(usersByConfirmedEmail, () => []);
    const made = await projectWith(rules);
    await expect(write(made, over)).rejects.toMatchObject(refused(words));
  });

  it('obeys all of them', async () => {
    const { caller } = await under.newProject();
    under.respond(usersByConfirmedEmail, ({ emails }) => emails.map((email) => ({ email, user_id: caller.id })));
    const made = await projectWith({
      commit_message_regex: '^fix',
      commit_message_negative_regex: 'secret',
      author_email_regex: '@example\\.com$',
      branch_name_regex: '^feature/',
      file_name_regex: '\\.exe$',
      max_file_size: 1,
      member_check: true,
      prevent_secrets: true,
      commit_committer_check: true,
      commit_committer_name_check: true,
      reject_unsigned_commits: true,
      reject_non_dco_commits: true,
    });
    const commit_message = 'fix it\n\nSigned-off-by: Ada <ada@example.com>\n';
    await write(made, { commit_message });
    await write(made, { commit_message, branch: 'feature/x', start_branch: 'main', ...named('b') });
  });

  it('is not checked for files that existed before', async () => {
    const made = await under.newProject();
    await write(made, named('x.exe'));
    await under.client.call(createProjectPushRule, { id: 'x', file_name_regex: '\\.exe$' }, made.context);
    await write(made, { actions: [{ action: 'update', file_path: 'x.exe', content: 'b' }] });
  });

  it('creates no branch with another name, and no file name limits apply to tags', async () => {
    const { context } = await projectWith({ branch_name_regex: '^feature/', deny_delete_tag: true });
    const { client } = under;
    await expect(client.call(createBranch, { id: 'x', branch: 'y', ref: 'main' }, context)).rejects.toMatchObject(
      refused("Branch name 'y' does not follow the pattern '^feature/'"),
    );
    await client.call(createTag, { id: 'x', tag_name: 'v1', ref: 'main' }, context);
    await client.call(deleteTag, { id: 'x', tag_name: 'v1' }, context);
  });

  it('is refused if another user has locked a file, or an object of Git LFS is missing', async () => {
    const made = await under.newProject();
    await under.client.call(expectLfsLocks, { project_id: made.project.id });
    under.respond(lfsLocksOfOthers, ({ project_id, user_id, paths = ['a.txt'] }) =>
      project_id === made.project.id && user_id === made.caller.id && paths.includes('a.txt')
        ? [{ path: 'a.txt', username: 'bob' }]
        : [],
    );
    await expect(write(made)).rejects.toMatchObject(refused("'a.txt' is locked in git-lfs by @bob"));
    await write(made, named('b.txt'));
    const oid = 'e'.repeat(64);
    under.respond(missingLfsObjects, ({ oids }) => oids.filter((asked) => asked === oid));
    const pointer = (id: string) => `version https://git-lfs.github.com/spec/v1\noid sha256:${id}\nsize 5\n`;
    await write(made, named('there.bin', pointer('f'.repeat(64))));
    await expect(write(made, named('gone.bin', pointer(oid)))).rejects.toMatchObject(
      refused('LFS objects are missing. Ensure LFS is properly set up or try a manual "git lfs push --all".'),
    );
  });
});

describe('while the Git LFS service does not answer', () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`;
  const away = { value: { code: 'common.unavailable' } };
  beforeEach(() => {
    under.respond(lfsLocksOfOthers, () => commonErrors.unavailable());
    under.respond(missingLfsObjects, () => commonErrors.unavailable());
  });
  afterAll(() => {
    under.respond(lfsLocksOfOthers, () => []);
    under.respond(missingLfsObjects, () => []);
  });

  it('changes without pointers are accepted, and others refused', async () => {
    const made = await under.newProject();
    await write(made, named('small.txt', 'text\n'.repeat(100)));
    await write(made, named('version.txt', 'version https://example.com\n'.repeat(10)));
    await under.client.call(createBranch, { id: 'x', branch: 'y', ref: 'main' }, made.context);
    await expect(write(made, named('gone.bin', pointer))).rejects.toMatchObject(away);
    await expect(
      write(made, { branch: 'z', start_branch: 'y', ...named('deep/gone.bin', pointer) }),
    ).rejects.toMatchObject(away);
  });

  it('no change is accepted for files that may be locked', async () => {
    const made = await under.newProject();
    await under.client.call(expectLfsLocks, { project_id: made.project.id });
    await expect(write(made)).rejects.toMatchObject(away);
  });
});

describe('a push', () => {
  const checks = () => under.running.app.get(PushChecks, { strict: false });
  const git = new GitRunner();

  /** Creates commits without the service, like those in the quarantine of a push. */
  async function history(made: ProjectUnderTest, count: number, message: (n: number) => string): Promise<string> {
    const { path } = under.running.app.get(Storages, { strict: false }).locate(made.project);
    const stream = Array.from({ length: count }, (_, n) => {
      const text = message(n);
      return (
        `commit refs/notes/made\ncommitter Eve <eve@example.com> ${1_700_000_000 + n} +0000\n` +
        `data ${Buffer.byteLength(text)}\n${text}\nM 100644 inline f${n % 7}\ndata 2\n${n % 10}\n\n`
      );
    }).join('');
    await git.run(path, ['fast-import', '--quiet', '--force'], { input: stream });
    return (await git.text(path, ['rev-parse', 'refs/notes/made'])).trim();
  }

  const objectionTo = async (made: ProjectUnderTest, after: string) =>
    checks().objectionToContent({ project: made.project, caller: made.caller, isByInterface: false }, [
      { refName: 'refs/heads/topic', before: null, after },
    ]);

  it('of a thousand commits is checked commit by commit, for any pattern', async () => {
    const made = await projectWith({ commit_message_negative_regex: '(a+)+$|(a|a)*b|(.*)*wanted' });
    const fine = await history(made, 1_000, (n) => `${'a'.repeat(200)} ${n}`);
    expect(await objectionTo(made, fine)).toBeUndefined();
    const wrong = await history(made, 1_000, (n) => (n === 0 ? 'wanted' : `fine ${n}`));
    expect(await objectionTo(made, wrong)).toMatch(/forbidden pattern/);
  });

  it.each<[string, Rules, string]>([
    ['the committer', { commit_committer_check: true }, 'You cannot push commits for'],
    ['the name', { commit_committer_name_check: true }, 'Your git username is inconsistent'],
    ['no signature', { reject_unsigned_commits: true }, 'Commit must be signed'],
  ])('is refused for %s, also if refs/notes contain it already', async (_what, rules, words) => {
    under.respond(usersByConfirmedEmail, () => []);
    const made = await projectWith(rules);
    expect(await objectionTo(made, await history(made, 1, () => 'one'))).toMatch(words);
  });

  it('with names is reported on one line', async () => {
    const made = await projectWith({ branch_name_regex: '^feature/', deny_delete_tag: true });
    const push = { project: made.project, caller: made.caller, isByInterface: false };
    const id = 'a'.repeat(40);
    const objections = await checks().objectionsToNames(push, [
      { refName: 'refs/heads/main', before: null, after: id },
      { refName: 'refs/heads/x', before: null, after: id },
      { refName: 'refs/heads/y', before: id, after: null },
      { refName: 'refs/tags/v1', before: id, after: null },
    ]);
    expect([...objections]).toEqual([
      ['refs/heads/x', "Branch name 'x' does not follow the pattern '^feature/'"],
      ['refs/tags/v1', 'You cannot delete a tag'],
    ]);
  });
});
