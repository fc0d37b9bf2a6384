import { randomBytes } from 'node:crypto';
import {
  Access,
  commonErrors,
  createPipeline,
  registerRunner,
  requestJob,
  resetProjectRegistrationToken,
  uploadJobArtifact,
} from '@moothall/contracts';
import { contextOf, SmallDisk } from '@moothall/testing';
import { CiUnderTest } from './ci-under-test';

const nobody = contextOf({});
const disk = SmallDisk.tryMount(12);
afterAll(() => disk?.unmount());

(disk ? describe : describe.skip)('a disk that is full', () => {
  it('refuses artifacts, stores no partial ones, and accepts them again when there is space', async () => {
    const ci = await CiUnderTest.start({ OBJECT_STORAGE_DIR: disk!.folder });
    try {
      const project = ci.stubs.project({}, 'build: { script: x, artifacts: { paths: [a] } }');
      const maintainer = ci.stubs.as(ci.stubs.user('maintainer'), project, Access.Maintainer);
      const registration = await ci.call(resetProjectRegistrationToken, { id: '1' }, maintainer);
      const runner = await ci.call(registerRunner, { token: registration.token }, nobody);
      await ci.call(createPipeline, { id: '1', ref: 'main' }, maintainer);
      const job = (await ci.call(requestJob, { token: runner.token }, nobody))!;
      const upload = () => {
        const file = ci.uploads.add(randomBytes(1 << 20), 'artifacts.zip');
        return ci.call(uploadJobArtifact, { id: job.id, token: job.token, file }, nobody);
      };
      disk!.fill();
      await expect(upload()).rejects.toMatchObject({ value: { code: commonErrors.diskFull.code } });
      expect(await ci.artifacts.countDocuments({ projectId: project.id })).toBe(0);
      disk!.makeRoom();
      await upload();
      expect(await ci.artifacts.countDocuments({ projectId: project.id, status: 'stored' })).toBe(1);
    } finally {
      disk!.makeRoom();
      await ci.stop();
    }
  });
});
