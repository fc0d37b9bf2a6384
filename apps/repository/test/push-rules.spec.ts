import { Access, protectTags } from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { PushRulebook } from '../src/protection/push-rules';
import { startRepositoryService } from './repository-under-test';

const sha = 'a'.repeat(40);
const developer = { accessLevel: Access.Developer, isAdmin: false };
const maintainer = { accessLevel: Access.Maintainer, isAdmin: false };
const update = (refName: string, before: string | null, after: string | null) => ({ refName, before, after });

describe('a push over git', () => {
  const under = shareBetweenTests(() => startRepositoryService());

  it.each([
    ['a push to main', developer, update('refs/heads/main', sha, sha), /protected branches/],
    ['a push to main', maintainer, update('refs/heads/main', sha, sha), null],
    ['the removal of main', maintainer, update('refs/heads/main', sha, null), /delete protected branches/],
    ['a push to a topic', developer, update('refs/heads/topic', null, sha), null],
    ['a new tag v1', developer, update('refs/tags/v1', null, sha), /create this tag/],
    ['a moved tag v1', maintainer, update('refs/tags/v1', sha, sha), /cannot be updated/],
    ['a moved tag', developer, update('refs/tags/nightly', sha, sha), /change existing tags/],
    ['a removed tag', developer, update('refs/tags/nightly', sha, null), null],
  ])('%s by %j is judged', async (_what, actor, wanted, words) => {
    const { project, context } = await under.newProject();
    await under.client.call(protectTags, { id: 'x', name: 'v*' }, context);
    const rules = await under.running.app.get(PushRulebook, { strict: false }).makeCodeRules(project, actor);
    const refusals = await rules.authorize!([wanted]);
    if (words) expect(refusals.get(wanted.refName)).toMatch(words);
    else expect(refusals.size).toBe(0);
    expect(rules.keptRefs).toEqual(['refs/heads/main']);
  });
});

it('refuses pushes to a full repository, except those that free space', async () => {
  const under = await startRepositoryService({ REPOSITORY_SIZE_LIMIT: '100' });
  try {
    const { project } = await under.newProject();
    const rules = await under.running.app.get(PushRulebook, { strict: false }).makeCodeRules(project, maintainer);
    const refusals = await rules.authorize!([
      update('refs/heads/main', sha, sha),
      update('refs/heads/topic', sha, null),
    ]);
    expect([...refusals]).toEqual([['refs/heads/main', expect.stringContaining('reached its size limit')]]);
  } finally {
    await under.stop();
  }
});
