import {
  Access,
  deletePackage,
  downloadGenericPackage,
  listPackageFiles,
  listProjectPackages,
} from '@moothall/contracts';
import { describeWithoutFaults, listAll } from '@moothall/testing';
import { prepareDeliveryReplicas } from './delivery-under-test';

const count = 40;

describeWithoutFaults(`${count} files of a package`, () => {
  let setup: Awaited<ReturnType<typeof prepareDeliveryReplicas>>;
  beforeAll(async () => {
    setup = await prepareDeliveryReplicas();
  });
  afterAll(() => setup?.stop());

  it('are complete if acknowledged, if one of two replicas is killed during uploads, and are deleted with their package', async () => {
    const { bed, replicas } = setup;
    const [first] = await Promise.all([replicas.startReplica(), replicas.startReplica()]);
    const project = bed.project();
    const contentOf = (at: number) => `${at} `.repeat(20_000);
    let answered = 0;
    const uploads = Array.from({ length: count }, async (_, at) => {
      await bed.upload(project, contentOf(at), { file_name: `${at}.txt` });
      answered += 1;
      if (answered === 5) await first!.kill();
    });
    const kept = (await Promise.allSettled(uploads)).flatMap(({ status }, at) => (status === 'fulfilled' ? [at] : []));
    expect(kept.length).toBeGreaterThanOrEqual(5);
    for (const at of kept) {
      const asked = { id: 'x', package_name: 'app', package_version: '1.0', file_name: `${at}.txt` };
      const { url } = await bed.call(downloadGenericPackage, asked, bed.as(project));
      expect((await (await fetch(url)).text()) === contentOf(at)).toBe(true);
    }
    const { items: packages } = await bed.call(listProjectPackages, { id: 'x' }, bed.as(project));
    expect(packages).toHaveLength(1);
    const asked = { id: 'x', package_id: packages[0]!.id };
    const files = await listAll((page) => bed.call(listPackageFiles, { ...asked, ...page }, bed.as(project)));
    const names = files.map(({ file_name }) => file_name);
    expect(kept.filter((at) => !names.includes(`${at}.txt`))).toEqual([]);
    await bed.call(deletePackage, asked, bed.as(project, Access.Maintainer));
    expect((await bed.call(listProjectPackages, { id: 'x' }, bed.as(project))).items).toEqual([]);
  }, 240_000);
});
