import { Access } from '@moothall/contracts';
import { callerNamed, projectNamed } from '@moothall/testing';
import { requireActive, requireMaker, requireReader, requireReaderOr } from './pipeline-rules';

const { Guest, Reporter, Developer, Maintainer } = Access;
const user = callerNamed('user');

describe('pipelines', () => {
  it.each([
    [Reporter, false, false],
    [Developer, false, true],
    [Guest, true, true],
  ] as const)('are seen at level %i if builds are public (%s): %s', (accessLevel, publicBuilds, isSeen) => {
    const project = projectNamed('p', { accessLevel, publicBuilds });
    const absent = () => requireReaderOr(project, () => new Error('absent'));
    if (isSeen) {
      requireReader(project, user);
      expect(absent).not.toThrow();
      return;
    }
    expect(() => requireReader(project, user)).toThrow('common.forbidden');
    expect(() => requireReader(project, undefined)).toThrow('common.unauthorized');
    expect(absent).toThrow('absent');
  });

  it.each([
    [Developer, 0, true],
    [Developer, 1, false],
    [Maintainer, 1, true],
  ] as const)('at level %i, created by another user (%i), may be changed: %s', (accessLevel, other, isAllowed) => {
    const change = () => requireMaker(projectNamed('p', { accessLevel }), user, user.id + other);
    if (isAllowed) expect(change).not.toThrow();
    else expect(change).toThrow('common.forbidden');
  });

  it('without a user may be changed by maintainers', () => {
    expect(() => requireMaker(projectNamed('p'), user, null)).toThrow('common.forbidden');
  });

  it('rest with an archived project', () => {
    expect(() => requireActive(projectNamed('p'))).not.toThrow();
    expect(() => requireActive(projectNamed('p', { isArchived: true }))).toThrow('project.archived');
  });
});
