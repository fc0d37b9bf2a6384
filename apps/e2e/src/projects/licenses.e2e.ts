import { newUser, root, uniqueName } from '../server/connection';

const keyOf = (name: string): string => {
  const license = { plan: 'ultimate', licensee: { Name: name }, starts_at: '2026-01-01', user_limit: 1 };
  return Buffer.from(JSON.stringify(license)).toString('base64');
};

it('administrators add, read and delete a licence', async () => {
  const name = uniqueName('Ada');
  const { License } = root;
  const made = await License.add(keyOf(name));
  expect(made).toMatchObject({ plan: 'ultimate', licensee: { Name: name }, starts_at: '2026-01-01', expired: false });
  expect(made.overage).toBe(Number(made.active_users) - 1);
  expect(await License.show()).toMatchObject({ plan: expect.any(String), active_users: expect.any(Number) });
  expect(await License.all()).toContainEqual(expect.objectContaining({ id: made.id }));
  expect(await License.recalculateBillableUsers(made.id)).toEqual({ success: true });
  await License.remove(made.id);
  await expect(License.remove(made.id)).rejects.toThrow(/404/);
  await expect(License.add('nothing')).rejects.toThrow(/The license key is invalid: it is not base64 of JSON/);
  await expect((await newUser()).client.License.all()).rejects.toThrow(/403/);
});
