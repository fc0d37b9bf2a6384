import { ask, newUser, root, uniqueName } from '../server/connection';
import { statusOf } from './status-of';

/* Access requests, by @gitbeaker/rest's GroupAccessRequests and ProjectAccessRequests. */

type User = Awaited<ReturnType<typeof newUser>>;
type Requests = User['client']['GroupAccessRequests'] | User['client']['ProjectAccessRequests'];

let owner: User;
let asking: User;
let other: User;
const places: { name: string; id: number; of: (user: User) => Requests }[] = [
  { name: 'group', id: 0, of: (user) => user.client.GroupAccessRequests },
  { name: 'project', id: 0, of: (user) => user.client.ProjectAccessRequests },
];

beforeAll(async () => {
  [owner, asking, other] = await Promise.all([newUser('owner'), newUser('asking'), newUser('other')]);
  const name = uniqueName('open');
  const options = { visibility: 'public', requestAccessEnabled: true } as const;
  places[0]!.id = (await owner.client.Groups.create(name, name, options)).id;
  places[1]!.id = (await owner.client.Projects.create({ name: uniqueName('open'), ...options })).id;
});

describe.each(places)('to a $name', (place) => {
  it('are created, listed to owners, and approved with the given level', async () => {
    const requests = place.of(asking);
    const request = await requests.request(place.id);
    expect(request).toMatchObject({ id: asking.id, username: asking.username, state: 'active' });
    expect(Date.parse(String(request.requested_at))).not.toBeNaN();
    expect(await statusOf(requests.request(place.id))).toBe(400);
    expect(await statusOf(requests.all(place.id))).toBe(403);
    expect(await statusOf(requests.approve(place.id, asking.id))).toBe(403);
    expect(await place.of(owner).all(place.id)).toMatchObject([{ id: asking.id, requested_at: request.requested_at }]);
    const member = await place.of(owner).approve(place.id, asking.id, { accessLevel: 20 });
    expect(member).toMatchObject({ id: asking.id, access_level: 20 });
    expect(member).not.toHaveProperty('requested_at');
    expect(await place.of(owner).all(place.id)).toEqual([]);
    expect(await statusOf(requests.request(place.id))).toBe(400);
    expect(await statusOf(place.of(owner).approve(place.id, asking.id))).toBe(404);
  });

  it('give developer access by default, and refuse an invalid level', async () => {
    const later = await newUser('later');
    await place.of(later).request(place.id);
    expect(await statusOf(place.of(owner).approve(place.id, later.id, { accessLevel: 31 as 30 }))).toBe(400);
    expect(await place.of(owner).approve(place.id, later.id)).toMatchObject({ access_level: 30 });
  });

  it('are denied by maintainers, and withdrawn by their author', async () => {
    const requests = place.of(other);
    await requests.request(place.id);
    expect(await statusOf(place.of(asking).deny(place.id, other.id))).toBe(403);
    await place.of(owner).deny(place.id, other.id);
    expect(await place.of(owner).all(place.id)).toEqual([]);
    await requests.request(place.id);
    await requests.deny(place.id, other.id);
    expect(await statusOf(place.of(owner).deny(place.id, other.id))).toBe(404);
  });
});

it('are refused if they are disabled, or if the caller may not see the group or project', async () => {
  const name = uniqueName('closed');
  const closed = await owner.client.Groups.create(name, name, { visibility: 'public', requestAccessEnabled: false });
  expect(await statusOf(asking.client.GroupAccessRequests.request(closed.id))).toBe(403);
  const hidden = await owner.client.Projects.create({ name: uniqueName('hidden'), visibility: 'private' });
  expect(await statusOf(asking.client.ProjectAccessRequests.request(hidden.id))).toBe(404);
  expect((await ask(`/api/v4/groups/${closed.id}/access_requests`, { method: 'POST' })).status).toBe(401);
  expect(await root.GroupAccessRequests.all(closed.id)).toEqual([]);
});
