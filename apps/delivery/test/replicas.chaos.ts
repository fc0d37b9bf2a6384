import { Access, createSecureFile, listSecureFiles, mostSecureFiles } from '@moothall/contracts';
import { describeWithoutFaults } from '@moothall/testing';
import { prepareDeliveryReplicas } from './delivery-under-test';

describeWithoutFaults('two replicas', () => {
  let setup: Awaited<ReturnType<typeof prepareDeliveryReplicas>>;
  beforeAll(async () => {
    setup = await prepareDeliveryReplicas();
    await Promise.all([setup.replicas.startReplica(), setup.replicas.startReplica()]);
  });
  afterAll(() => setup?.stop());

  it('store as many secure files as a project may have, under concurrent uploads', async () => {
    const { bed } = setup;
    const project = bed.project();
    const as = bed.as(project, Access.Maintainer);
    const create = (at: number) =>
      bed.call(createSecureFile, { id: 'x', name: `${at}`, file: bed.send('bytes') }, as).then(
        () => 'ok',
        ({ code }) => code as string,
      );
    const codes = await Promise.all(Array.from({ length: mostSecureFiles + 10 }, (_, at) => create(at)));
    expect(codes.filter((code) => code !== 'ok')).toEqual(Array.from({ length: 10 }, () => 'secure_file.too_many'));
    expect((await bed.call(listSecureFiles, { id: 'x', per_page: 1 }, as)).total).toBe(mostSecureFiles);
  }, 240_000);
});
