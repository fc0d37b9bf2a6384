import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { SecretBox } from '@moothall/secrets';
import { eventually } from '@moothall/testing';
import { type Connection, createConnection } from 'mongoose';
import { type SigningKeyRecord, SigningKeys, signingKeySchema } from '../src/openid/signing-key';

let infrastructure: TestInfrastructure;
let connection: Connection;
beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
});
afterAll(() => infrastructure?.stop());

let databases = 0;
beforeEach(async () => {
  const dbName = `${infrastructure.mongodbPrefix}_signing${++databases}`;
  connection = await createConnection(infrastructure.mongodbUri, { dbName }).asPromise();
  connection.model('SigningKey', signingKeySchema);
});
afterEach(() => connection.close());

/** For one replica. */
const replica = () =>
  new SigningKeys(connection.model<SigningKeyRecord>('SigningKey'), new SecretBox('a key of the tests'));
const kidsOf = async (keys: SigningKeys) => (await keys.published()).map(({ kid }) => kid);

it('of two replicas neither signs by a key that the other does not publish, while keys are changed', async () => {
  const [one, two] = [replica(), replica()];
  const [former, same] = [await one.current(), await two.current()];
  expect(same.kid).toBe(former.kid);
  expect([await kidsOf(one), await kidsOf(two)]).toEqual([[former.kid], [former.kid]]);

  const next = await one.rotate(15);
  expect(next.kid).not.toBe(former.kid);

  const signed: string[] = [];
  await eventually(
    async () => {
      for (const keys of [one, two]) {
        const { kid } = await keys.current();
        expect([await kidsOf(one), await kidsOf(two)]).toEqual([
          expect.arrayContaining([kid]),
          expect.arrayContaining([kid]),
        ]);
        signed.push(kid);
      }
      return signed.slice(-2).every((kid) => kid === next.kid);
    },
    'both sign by the new key',
    60_000,
  );
  expect(signed.filter((kid) => ![former.kid, next.kid].includes(kid))).toEqual([]);
  // Earlier signatures can still be verified.
  expect([await kidsOf(one), await kidsOf(replica())]).toEqual([
    [former.kid, next.kid],
    [former.kid, next.kid],
  ]);
}, 120_000);

it('two concurrent replicas create one key, and none while one is pending', async () => {
  const [one, two] = [replica(), replica()];
  const former = await one.current();
  const [next, same] = await Promise.all([one.rotate(3600), two.rotate(3600)]);
  expect(await two.rotate(60)).toMatchObject({ kid: next.kid, signsFrom: next.signsFrom });
  expect(same).toMatchObject({ kid: next.kid, signsFrom: next.signsFrom });
  expect([await kidsOf(replica()), (await replica().current()).kid]).toEqual([[former.kid, next.kid], former.kid]);
});
