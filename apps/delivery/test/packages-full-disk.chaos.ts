import { listPackageFiles, listProjectPackages } from '@moothall/contracts';
import { SmallDisk } from '@moothall/testing';
import { startDeliveryService } from './delivery-under-test';

const disk = SmallDisk.tryMount(12);
afterAll(() => disk?.unmount());

(disk ? it : it.skip)('refuses a file that a full disk has no room for, and takes it once there is', async () => {
  const { bed, stop } = await startDeliveryService({ OBJECT_STORAGE_DIR: disk!.folder });
  try {
    const project = bed.project();
    await bed.upload(project, 'first');
    disk!.fill();
    const large = 'x'.repeat(1024 ** 2);
    await expect(bed.upload(project, large)).rejects.toMatchObject({ code: 'common.disk_full' });
    disk!.makeRoom();
    await bed.upload(project, large);
    const { items } = await bed.call(listProjectPackages, { id: 'x' }, bed.as(project));
    const files = await bed.call(listPackageFiles, { id: 'x', package_id: items[0]!.id }, bed.as(project));
    expect(files.items.map(({ size }) => size)).toEqual([5, 1024 ** 2]);
  } finally {
    disk!.makeRoom();
    await stop();
  }
});
