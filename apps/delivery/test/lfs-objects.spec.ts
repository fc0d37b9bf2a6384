import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import {
  Access,
  copyLfsObjects,
  downloadLfsObject,
  findLfsObjects,
  lfsObjectSizes,
  missingLfsObjects,
  type ProjectRef,
  projectDeleted,
  uploadLfsObject,
  verifyLfsObject,
} from '@moothall/contracts';
import { refusalHeader } from '@moothall/data-port';
import {
  contextOf,
  describeWithoutFaults,
  eventually,
  SmallDisk,
  shareBetweenTests,
  uniqueId,
} from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { LfsContent } from '../src/lfs-object/lfs-content.schema';
import { RemoveLfsObjects } from '../src/lfs-object/remove-lfs-objects';
import { prepareDeliveryReplicas, startDeliveryService } from './delivery-under-test';

const delivery = shareBetweenTests(startDeliveryService);
const limited = shareBetweenTests(() => startDeliveryService({ LFS_SIZE_LIMIT: '100' }));

type Running = Pick<Awaited<ReturnType<typeof startDeliveryService>>, 'bed'>;

const oidOf = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
const most_bytes = 1024 ** 3;

interface Sending {
  oid?: string;
  size?: number;
  to?: Running;
}

/** @returns the code of the refusal, if it is one */
async function send(project: ProjectRef, content: string | Buffer, { oid, size, to = delivery }: Sending = {}) {
  const bytes = Buffer.from(content);
  const asked = { oid: oid ?? oidOf(bytes), size: size ?? bytes.length, most_bytes };
  const { url } = await to.bed.call(uploadLfsObject, asked, to.bed.as(project));
  // As the gateway sends what comes without a length.
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  const response = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit);
  const refusal = response.headers.get(refusalHeader);
  if (refusal) return JSON.parse(refusal).code as string;
  expect(response.status).toBe(200);
  return undefined;
}

async function contentOf(project: ProjectRef, oid: string, { bed }: Running = delivery): Promise<string> {
  const { url } = await bed.call(downloadLfsObject, { oid }, bed.as(project, Access.Reporter));
  return (await fetch(url)).text();
}

async function stateOf(project: ProjectRef, content: string, to_upload = false, size = content.length) {
  const { bed } = delivery;
  const asked = { to_upload, most_bytes, objects: [{ oid: oidOf(content), size }] };
  return (await bed.call(findLfsObjects, asked, bed.as(project)))[0]!.state;
}

async function sizeOf({ id }: ProjectRef): Promise<number> {
  const [found] = await delivery.bed.call(lfsObjectSizes, { project_ids: [id] }, contextOf({}));
  return found?.size_bytes ?? 0;
}

/** How many files there are of the bytes of an object. */
function filesOf(content: string | Buffer, folder = delivery.folder): number {
  const oid = oidOf(content);
  const place = path.join(folder, 'delivery/lfs', oid.slice(0, 2), oid.slice(2, 4));
  return existsSync(place) ? readdirSync(place).length : 0;
}

const sweep = () => delivery.under.running.app.get(RemoveLfsObjects, { strict: false }).run();

describe('an object', () => {
  it('is missing where it was not sent, whoever else has it', async () => {
    const [project, other] = [delivery.bed.project(), delivery.bed.project()];
    await send(project, 'mine');
    await send(other, 'theirs');
    const oids = ['mine', 'theirs', 'nobody has'].map(oidOf);
    const missing = await delivery.bed.call(missingLfsObjects, { project_id: project.id, oids }, contextOf({}));
    expect(missing).toEqual(oids.slice(1));
  });

  it('comes back as it was sent, and is verified by its name and size', async () => {
    const { bed } = delivery;
    const project = bed.project();
    const content = `bytes ${uniqueId()}`;
    const oid = oidOf(content);
    expect(await stateOf(project, content)).toBe('missing');
    expect(await send(project, content)).toBeUndefined();
    expect([await stateOf(project, content), await stateOf(project, content, true)]).toEqual(['there', 'there']);
    expect(await stateOf(project, content, true, 1)).toBe('of_other_size');
    expect(await contentOf(project, oid)).toBe(content);
    await bed.call(verifyLfsObject, { oid, size: content.length }, bed.as(project));
    await expect(bed.call(verifyLfsObject, { oid, size: 1 }, bed.as(project))).rejects.toMatchObject({
      code: 'lfs.wrong_content',
    });
    expect(await sizeOf(project)).toBe(content.length);
  });

  it('of no bytes is one', async () => {
    const project = delivery.bed.project();
    expect(await send(project, '')).toBeUndefined();
    expect(await contentOf(project, oidOf(''))).toBe('');
  });

  it.each([
    ['others', 'other', {}],
    ['too many', 'rights', { size: 5 }],
    ['too few', 'rig', { size: 5 }],
    ['none', '', { size: 5 }],
  ])('is none where its bytes are %s, and leaves nothing', async (_what, sent, over) => {
    const project = delivery.bed.project();
    const oid = oidOf(`right ${uniqueId()}`);
    expect(await send(project, sent, { oid, ...over })).toBe('lfs.wrong_content');
    await expect(contentOf(project, oid)).rejects.toMatchObject({ code: 'lfs.object_not_found' });
    expect(await sizeOf(project)).toBe(0);
    expect(await coming(project)).toEqual([]);
  });

  it('is none where it is cut off', async () => {
    const { bed } = delivery;
    const project = bed.project();
    const asked = { oid: oidOf('x'.repeat(1000)), size: 1000, most_bytes };
    const { url } = await bed.call(uploadLfsObject, asked, bed.as(project));
    const leaving = new AbortController();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('x')),
    });
    const sending = fetch(url, { method: 'POST', body, duplex: 'half', signal: leaving.signal } as RequestInit);
    await eventually(async () => (await coming(project)).length === 1, 'its beginning');
    leaving.abort();
    await expect(sending).rejects.toThrow();
    await eventually(async () => (await coming(project)).length === 0, 'its end');
    expect(await sizeOf(project)).toBe(0);
  });

  it('is of the projects that it was sent to, and of no other', async () => {
    const { bed } = delivery;
    const [project, other] = [bed.project(), bed.project()];
    const content = `secret ${uniqueId()}`;
    await send(project, content);
    expect([await stateOf(other, content), await stateOf(other, content, true)]).toEqual(['missing', 'missing']);
    await expect(contentOf(other, oidOf(content))).rejects.toMatchObject({ code: 'lfs.object_not_found' });
    await send(other, content);
    expect(await contentOf(other, oidOf(content))).toBe(content);
    expect(filesOf(content)).toBe(1);
  });

  it('is stored once, when many send it at once to several projects', async () => {
    const { bed } = delivery;
    const projects = [bed.project(), bed.project(), bed.project()];
    const content = randomBytes(100_000);
    const sent = await Promise.all(projects.flatMap((project) => [1, 2, 3, 4].map(() => send(project, content))));
    expect(sent.filter(Boolean)).toEqual([]);
    expect(filesOf(content)).toBe(1);
    for (const project of projects) expect(await sizeOf(project)).toBe(content.length);
  });

  it('is refused where the server takes none so large, or in an archived project', async () => {
    const { bed } = delivery;
    const project = bed.project();
    const asked = { oid: oidOf('x'), size: 2, most_bytes: 1 };
    await expect(bed.call(uploadLfsObject, asked, bed.as(project))).rejects.toMatchObject({ code: 'lfs.too_large' });
    const archived = bed.as({ ...project, isArchived: true });
    await expect(bed.call(uploadLfsObject, { ...asked, most_bytes }, archived)).rejects.toMatchObject({
      code: 'common.forbidden',
    });
  });

  it('is refused where the project is deleted meanwhile', async () => {
    const { bed } = delivery;
    const project = bed.project();
    bed.removeProject(project);
    expect(await send(project, `late ${uniqueId()}`)).toBe('project.not_found');
    expect(await sizeOf(project)).toBe(0);
  });
});

describe('the limit of a project', () => {
  const room = async (project: ProjectRef, ...sizes: number[]) => {
    const { bed } = limited;
    const objects = sizes.map((size, at) => ({ oid: oidOf(`${at}`), size }));
    const found = await bed.call(findLfsObjects, { to_upload: true, most_bytes, objects }, bed.as(project));
    return found.map(({ state }) => state);
  };

  it('is for all its objects together, and told before they are sent', async () => {
    const project = limited.bed.project();
    expect(await room(project, 60, 60, 40)).toEqual(['missing', 'project_full', 'missing']);
    expect(await send(project, 'a'.repeat(60), { to: limited })).toBeUndefined();
    expect(await room(project, 60, 40)).toEqual(['project_full', 'missing']);
    expect(await send(project, 'b'.repeat(60), { to: limited })).toBe('lfs.project_full');
    expect(await send(project, 'b'.repeat(40), { to: limited })).toBeUndefined();
  });

  it('holds for those that are sent at once', async () => {
    const project = limited.bed.project();
    const sent = await Promise.all(
      ['c', 'd', 'e', 'f'].map((letter) => send(project, letter.repeat(60), { to: limited })),
    );
    expect(sent.filter((code) => code === undefined).length).toBeLessThanOrEqual(1);
    expect(new Set(sent.filter(Boolean))).toEqual(new Set(['lfs.project_full']));
  });
});

describe('bytes that several projects have', () => {
  const copy = (from: ProjectRef, to: ProjectRef) =>
    delivery.bed.call(copyLfsObjects, { project_id: to.id, from_project_id: from.id }, contextOf({}));

  it('are in a fork, once, and stay when what it was made of goes', async () => {
    const { bed, under } = delivery;
    const [project, fork] = [bed.project(), bed.project()];
    const contents = [1, 2, 3].map((at) => `content ${at} ${uniqueId()}`);
    for (const content of contents) await send(project, content);
    await copy(project, fork);
    await copy(project, fork);
    expect(await sizeOf(fork)).toBe(await sizeOf(project));
    bed.removeProject(project);
    await under.emit(projectDeleted, { project_id: project.id, full_path: project.fullPath, storage: 'default' });
    await eventually(async () => (await sizeOf(project)) === 0, 'the end of the project');
    await sweep();
    for (const content of contents) expect(await contentOf(fork, oidOf(content))).toBe(content);
    await under.emit(projectDeleted, { project_id: fork.id, full_path: fork.fullPath, storage: 'default' });
    await eventually(async () => (await sizeOf(fork)) === 0, 'the end of the fork');
    await sweep();
    expect(contents.map((content) => filesOf(content))).toEqual([0, 0, 0]);
    expect(await coming(project)).toEqual([]);
  });

  it('are whole in a fork of a project that goes at the same time, or not at all', async () => {
    const { bed, under } = delivery;
    for (let turn = 0; turn < 5; turn++) {
      const [project, fork] = [bed.project(), bed.project()];
      const content = `turn ${turn} ${uniqueId()}`;
      await send(project, content);
      const leaving = under.running.app.get(RemoveLfsObjects, { strict: false });
      await Promise.all([copy(project, fork), leaving.ofProject(project.id), sweep()]);
      await sweep();
      const isThere = (await sizeOf(fork)) > 0;
      expect(filesOf(content)).toBe(isThere ? 1 : 0);
      if (isThere) expect(await contentOf(fork, oidOf(content))).toBe(content);
    }
  });

  it('are whole where they are sent again while they are removed', async () => {
    const { bed, under } = delivery;
    const project = bed.project();
    const content = `again ${uniqueId()}`;
    const leaving = under.running.app.get(RemoveLfsObjects, { strict: false });
    for (let turn = 0; turn < 5; turn++) {
      const other = bed.project();
      await send(other, content);
      const [refusal] = await Promise.all([send(project, content), leaving.ofProject(other.id).then(sweep)]);
      // At worst it is to be sent again.
      if (refusal) expect(refusal).toBe('common.unavailable');
      else expect(await contentOf(project, oidOf(content))).toBe(content);
      await leaving.ofProject(project.id);
      await sweep();
    }
    expect(filesOf(content)).toBe(0);
  });
});

function mountDisk(): SmallDisk | undefined {
  try {
    return SmallDisk.mount(12);
  } catch {
    return undefined;
  }
}

const disk = mountDisk();
afterAll(() => disk?.unmount());

(disk ? it : it.skip)('refuses an object that a full disk has no room for, and takes it once there is', async () => {
  const small = await startDeliveryService({ OBJECT_STORAGE_DIR: disk!.folder });
  try {
    const project = small.bed.project();
    const content = randomBytes(5 * 1024 ** 2);
    disk!.fill();
    expect(await send(project, content, { to: small })).toBe('common.disk_full');
    disk!.makeRoom();
    expect(await send(project, content, { to: small })).toBeUndefined();
  } finally {
    await small.stop();
  }
});

const count = 30;

describeWithoutFaults(`${count} objects`, () => {
  let drill: Awaited<ReturnType<typeof prepareDeliveryReplicas>>;
  beforeAll(async () => {
    drill = await prepareDeliveryReplicas();
  });
  afterAll(() => drill?.stop());

  it('are whole where that was said, when one of two replicas is killed while they come', async () => {
    const { replicas, bed } = drill;
    const [first] = await Promise.all([replicas.startReplica(), replicas.startReplica()]);
    const project = bed.project();
    const contents = Array.from({ length: count }, (_, at) => `${at} `.repeat(20_000));
    let answered = 0;
    const uploads = contents.map(async (content) => {
      expect(await send(project, content, { to: drill })).toBeUndefined();
      answered += 1;
      if (answered === 5) await first!.kill();
    });
    const kept = (await Promise.allSettled(uploads)).flatMap(({ status }, at) => (status === 'fulfilled' ? [at] : []));
    expect(kept.length).toBeGreaterThanOrEqual(5);
    for (const at of kept) expect((await contentOf(project, oidOf(contents[at]!), drill)) === contents[at]).toBe(true);
    for (const content of contents) expect(await send(project, content, { to: drill })).toBeUndefined();
    for (const content of contents) expect(filesOf(content, drill.folder)).toBeGreaterThanOrEqual(1);
  }, 240_000);
});

/** What is on its way to a project, or was and is not removed yet. */
async function coming({ id: projectId }: ProjectRef): Promise<LfsContent[]> {
  const contents = delivery.under.running.app.get<Model<LfsContent>>(getModelToken('LfsContent'), { strict: false });
  return contents.find({ projectId, status: { $ne: 'stored' } }).lean<LfsContent[]>();
}
