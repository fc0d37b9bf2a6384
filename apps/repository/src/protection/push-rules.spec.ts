import type { RefUpdate } from '../git/refs/refs';
import { newProtection } from './new-protection';
import { Protections } from './protections';
import { PushRulebook } from './push-rules';

const [old, young] = ['1'.repeat(40), '2'.repeat(40)];
const created = (refName: string): RefUpdate => ({ refName, before: null, after: young });
const updated = (refName: string): RefUpdate => ({ refName, before: old, after: young });
const deleted = (refName: string): RefUpdate => ({ refName, before: old, after: null });

const protections = new Protections(
  [
    newProtection(1, 'branch', 'main'),
    newProtection(1, 'branch', 'merged', { mergeLevels: [30] }),
    newProtection(1, 'branch', 'open', { pushLevels: [30], allowsForcePush: true }),
    newProtection(1, 'tag', 'v*'),
  ].map((protection, index) => ({ _id: index, ...protection })),
);

/** A rulebook over a repository of that size; it records the measurements. */
function rulebook(sizeBytes = 0, limit = 0) {
  const measured: string[] = [];
  const storage = {
    sizeBytes: async (path: string) => {
      measured.push(path);
      return sizeBytes;
    },
  };
  const storages = { locate: (_: object, kind = 'code') => ({ engine: { storage }, path: kind }) };
  const refs = { readProtections: async () => protections };
  const rules = new PushRulebook(refs as never, storages as never, { REPOSITORY_SIZE_LIMIT: limit } as never);
  return { rules, measured };
}
const project = { id: 1, storage: 'default' };

async function objectionTo(
  update: RefUpdate,
  accessLevel: number,
  { rules } = rulebook(),
): Promise<string | undefined> {
  const { authorize } = await rules.makeCodeRules(project, { accessLevel, isAdmin: false });
  return (await authorize!([update])).get(update.refName);
}

describe('a push to code', () => {
  it.each<[string, RefUpdate, number, RegExp | undefined]>([
    ['a developer makes a branch', created('refs/heads/topic'), 30, undefined],
    ['a reporter makes a branch', created('refs/heads/topic'), 20, /push code to this project/],
    ['a reporter deletes a branch', deleted('refs/heads/topic'), 20, /push code to this project/],
    ['a developer deletes a branch', deleted('refs/heads/topic'), 30, undefined],
    ['a developer pushes to a protected one', updated('refs/heads/main'), 30, /push code to protected branches/],
    ['a maintainer pushes to a protected one', updated('refs/heads/main'), 40, undefined],
    ['a maintainer deletes a protected one', deleted('refs/heads/main'), 40, /only delete protected branches through/],
    ['who may merge makes the branch', created('refs/heads/merged'), 30, undefined],
    ['who may merge pushes', updated('refs/heads/merged'), 30, /push code to protected branches/],
    ['who may neither makes a protected one', created('refs/heads/main'), 30, /push code to protected branches/],
    ['a developer makes a tag', created('refs/tags/x'), 30, undefined],
    ['a developer moves a tag', updated('refs/tags/x'), 30, /change existing tags/],
    ['a maintainer moves a tag', updated('refs/tags/x'), 40, undefined],
    ['a developer deletes a tag', deleted('refs/tags/x'), 30, undefined],
    ['a developer makes a protected tag', created('refs/tags/v1'), 30, /create this tag as it is protected/],
    ['a maintainer makes a protected tag', created('refs/tags/v1'), 40, undefined],
    ['a maintainer moves a protected tag', updated('refs/tags/v1'), 40, /cannot be updated/],
    ['a maintainer deletes a protected tag', deleted('refs/tags/v1'), 40, /cannot be deleted/],
    ['a tag that is named like a branch', created('refs/tags/main'), 30, undefined],
    ['something else', created('refs/notes/heads/main'), 30, undefined],
    ['something that holds a branch’s name', created('x/refs/heads/main'), 30, undefined],
    ['a name over two lines', created('refs/heads/main\nx'), 30, undefined],
  ])('%s', async (_, update, level, objection) => {
    const said = await objectionTo(update, level);
    if (objection) expect(said).toMatch(objection);
    else expect(said).toBeUndefined();
  });

  it('names the refusals, and forbids force pushes if the branch is protected', async () => {
    const { authorize, keptRefs } = await rulebook().rules.makeCodeRules(project, { accessLevel: 30, isAdmin: false });
    const refused = await authorize!([created('refs/heads/topic'), updated('refs/heads/main'), updated('refs/tags/x')]);
    expect([...refused.keys()]).toEqual(['refs/heads/main', 'refs/tags/x']);
    expect(keptRefs).toEqual(['refs/heads/main', 'refs/heads/merged']);
  });
});

describe('the room of a repository', () => {
  const rulesOf = (size: number, limit: number) => {
    const { rules, measured } = rulebook(size, limit);
    return {
      code: rules.makeCodeRules(project, { accessLevel: 30, isAdmin: false }),
      wiki: rules.makeWikiRules(project),
      measured,
    };
  };

  it('is not measured if there is no limit', async () => {
    const { code, wiki, measured } = rulesOf(1000, 0);
    expect(await code).not.toHaveProperty('maxPackBytes');
    expect(await wiki).not.toHaveProperty('maxPackBytes');
    expect(measured).toEqual([]);
  });

  it.each([
    [400, 600],
    [999, 1],
    [1000, 1],
    [5000, 1],
  ])('is the remaining part: of 1000 with %i bytes in it, %i', async (size, maxPackBytes) => {
    const { code, wiki, measured } = rulesOf(size, 1000);
    expect(await code).toMatchObject({ maxPackBytes });
    expect(await wiki).toMatchObject({ maxPackBytes });
    expect(measured.sort()).toEqual(['code', 'wiki']);
  });

  it.each([
    [999, created('refs/heads/x'), false],
    [1000, created('refs/heads/x'), true],
    [1000, created('refs/tags/x'), true],
    [1000, created('refs/notes/x'), true],
    [1000, deleted('refs/heads/x'), false],
  ])('with %i of 1000 bytes, %j is refused: %s', async (size, update, isRefused) => {
    const { code, wiki } = rulesOf(size, 1000);
    for (const { authorize } of [await code, await wiki]) {
      const said = [...(await authorize!([update])).values()];
      expect(said).toEqual(isRefused ? [expect.stringContaining('reached its size limit')] : []);
    }
  });
});
