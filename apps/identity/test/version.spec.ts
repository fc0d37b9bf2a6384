import { getMetadata, getVersion } from '@moothall/contracts';
import { callerNamed, type ServiceUnderTest } from '@moothall/testing';
import { startIdentity } from './service-under-test';

let identity: ServiceUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ REPORTED_VERSION: '17.5.1-ee', EDITION: 'community' });
});
afterAll(() => identity?.stop());

it('answers the version that the operator set, and the edition', async () => {
  const caller = callerNamed('ada');
  const expected = { version: '17.5.1-ee', revision: 'moothall', enterprise: false, kas: { enabled: false } };
  expect(await identity.client.call(getVersion, {}, { caller })).toMatchObject(expected);
  expect(await identity.client.call(getMetadata, {}, { caller })).toMatchObject(expected);
});
