import { Access, type AccessLevel, type Visibility } from '@moothall/contracts';
import { callerNamed, projectNamed } from '@moothall/testing';
import { visibleIn } from './visible-activities';

const ann = callerNamed('ann');
const roomsIn = (filter: ReturnType<typeof visibleIn>): string[] =>
  [...JSON.stringify(filter).matchAll(/"room":"(\w+)"/g)].map(([, room]) => room!);
const seen = (
  visibility: Visibility,
  accessLevel: AccessLevel,
  features = {},
  caller: typeof ann | undefined = ann,
) => {
  const project = projectNamed('crane', { visibility, accessLevel });
  return visibleIn([{ ...project, features: { ...project.features, ...features } }], caller);
};
const all = ['issues', 'merge_requests', 'milestones', 'repository', 'wiki', 'project'];

describe('activities that a caller may see', () => {
  it.each([
    ['private', Access.None, []],
    ['private', Access.Guest, ['issues', 'milestones', 'wiki', 'project']],
    ['private', Access.Reporter, all],
    ['internal', Access.None, all],
    ['public', Access.None, all],
  ] as const)('is in a %s one, with level %i: %j', (visibility, level, rooms) => {
    expect(roomsIn(seen(visibility, level))).toEqual(rooms);
  });

  it.each([
    ['read_code', 'repository'],
    ['admin_merge_request', 'merge_requests'],
  ] as const)('of a guest of a private project depend on %s', (ability, room) => {
    const project = projectNamed('crane', { visibility: 'private', accessLevel: Access.Guest, abilities: [ability] });
    expect(roomsIn(visibleIn([project], ann)).sort()).toEqual(['issues', 'milestones', 'wiki', 'project', room].sort());
  });

  it('is nothing internal to strangers', () => {
    expect(visibleIn([projectNamed('crane', { visibility: 'internal', accessLevel: Access.None })], undefined)).toEqual(
      {
        _id: { $in: [] },
      },
    );
  });

  it('is no closed feature', () => {
    expect(roomsIn(seen('public', Access.None, { issues: 'private', wiki: 'disabled' }))).toEqual(
      all.filter((room) => room !== 'issues' && room !== 'wiki'),
    );
    expect(roomsIn(seen('public', Access.None, { issues: 'disabled', merge_requests: 'disabled' }))).toEqual([
      ...['repository', 'wiki', 'project'],
    ]);
  });

  it('is nothing confidential, but to reporters, insiders and administrators', () => {
    const json = (filter: ReturnType<typeof visibleIn>) => JSON.stringify(filter);
    expect(json(seen('public', Access.Guest))).toContain('"confidential":false');
    expect(json(seen('public', Access.Guest))).not.toContain(
      '"$or":[{"confidential":false,"isInternal":false},{"projectId"',
    );
    expect(json(seen('public', Access.Reporter))).toContain('"isInternal":false},{"projectId"');
    expect(json(seen('public', Access.Guest))).toContain(`{"insiderIds":${ann.id}}`);
    expect(json(seen('public', Access.Owner, {}, { ...ann, isAdmin: true }))).not.toContain('confidential');
  });
});
