import { Access, createSecureFile, listSecureFiles, mostSecureFiles } from '@moothall/contracts';
import { describeWithoutFaults } from '@moothall/testing';
import { prepareDeliveryReplicas } from './delivery-under-test';

describeWithoutFaults('two replicas', () => {
  let drill: Awaited<ReturnType<typeof prepareDeliveryReplicas>>;
  beforeAll(async () => {
    drill = await prepareDeliveryReplicas();
    await Promise.all([drill.replicas.startReplica(), drill.replicas.startReplica()]);
  });
  afterAll(() => drill?.stop());

  it('keep as many secure files as a project may have, of all that come at once', async () => {
    const { bed } = drill;
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
