import { randomBytes } from 'node:crypto';
import {
  copyLfsObjects,
  findLfsObjects,
  lfsObjectSizes,
  missingLfsObjects,
  type ProjectRef,
  projectDeleted,
  uploadLfsObject,
  verifyLfsObject,
} from '@moothall/contracts';
import { contextOf, eventually, shareBetweenTests, uniqueId } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { LfsContent } from '../src/lfs-object/lfs-content.schema';
import { LfsObjects } from '../src/lfs-object/lfs-object.repository';
import { RemoveLfsObjects } from '../src/lfs-object/remove-lfs-objects';
import { startDeliveryService } from './delivery-under-test';
import { LfsObjectClient, mostBytes, oidOf } from './lfs-object-client';

const delivery = shareBetweenTests(startDeliveryService);
const limited = shareBetweenTests(() => startDeliveryService({ LFS_SIZE_LIMIT: '100' }));

const lfs = new LfsObjectClient(delivery);
const lfsOfLimited = new LfsObjectClient(limited);

async function stateOf(project: ProjectRef, content: string, to_upload = false, size = content.length) {
  const { bed } = delivery;
  const asked = { to_upload, most_bytes: mostBytes, objects: [{ oid: oidOf(content), size }] };
  return (await bed.call(findLfsObjects, asked, bed.as(project)))[0]!.state;
}

async function sizeOf({ id }: ProjectRef): Promise<number> {
  const [found] = await delivery.bed.call(lfsObjectSizes, { project_ids: [id] }, contextOf({}));
  return found?.size_bytes ?? 0;
}

const removeUnused = () => delivery.under.running.app.get(RemoveLfsObjects, { strict: false }).run();

describe('an object', () => {
  it('is missing if it was not sent, even if another project has it', async () => {
    const [project, other] = [delivery.bed.project(), delivery.bed.project()];
    await lfs.send(project, 'mine');
    await lfs.send(other, 'theirs');
    const oids = ['mine', 'theirs', 'nobody has'].map(oidOf);
    const missing = await delivery.bed.call(missingLfsObjects, { project_id: project.id, oids }, contextOf({}));
    expect(missing).toEqual(oids.slice(1));
  });

  it('is downloaded as uploaded, and verified by its name and size', async () => {
    const { bed } = delivery;
    const project = bed.project();
    const content = `bytes ${uniqueId()}`;
    const oid = oidOf(content);
    expect(await stateOf(project, content)).toBe('missing');
    expect(await lfs.send(project, content)).toBeUndefined();
    expect([await stateOf(project, content), await stateOf(project, content, true)]).toEqual(['there', 'there']);
    expect(await stateOf(project, content, true, 1)).toBe('of_other_size');
    expect(await lfs.contentOf(project, oid)).toBe(content);
    await bed.call(verifyLfsObject, { oid, size: content.length }, bed.as(project));
    await expect(bed.call(verifyLfsObject, { oid, size: 1 }, bed.as(project))).rejects.toMatchObject({
      code: 'lfs.wrong_content',
    });
    expect(await sizeOf(project)).toBe(content.length);
  });

  it('of no bytes is one', async () => {
    const project = delivery.bed.project();
    expect(await lfs.send(project, '')).toBeUndefined();
    expect(await lfs.contentOf(project, oidOf(''))).toBe('');
  });

  it.each([
    ['others', 'other', {}],
    ['too many', 'rights', { size: 5 }],
    ['too few', 'rig', { size: 5 }],
    ['none', '', { size: 5 }],
  ])('is refused if its bytes are %s, and leaves nothing', async (_what, sent, over) => {
    const project = delivery.bed.project();
    const oid = oidOf(`right ${uniqueId()}`);
    expect(await lfs.send(project, sent, { oid, ...over })).toBe('lfs.wrong_content');
    await expect(lfs.contentOf(project, oid)).rejects.toMatchObject({ code: 'lfs.object_not_found' });
    expect(await sizeOf(project)).toBe(0);
    expect(await coming(project)).toEqual([]);
  });

  it('is not stored if the upload is interrupted', async () => {
    const { bed } = delivery;
    const project = bed.project();
    const asked = { oid: oidOf('x'.repeat(1000)), size: 1000, most_bytes: mostBytes };
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
    await lfs.send(project, content);
    expect([await stateOf(other, content), await stateOf(other, content, true)]).toEqual(['missing', 'missing']);
    await expect(lfs.contentOf(other, oidOf(content))).rejects.toMatchObject({ code: 'lfs.object_not_found' });
    await lfs.send(other, content);
    expect(await lfs.contentOf(other, oidOf(content))).toBe(content);
    expect(lfs.filesOf(content)).toBe(1);
  });

  it('is stored once if many upload it concurrently to several projects', async () => {
    const { bed } = delivery;
    const projects = [bed.project(), bed.project(), bed.project()];
    const content = randomBytes(100_000);
    const sent = await Promise.all(projects.flatMap((project) => [1, 2, 3, 4].map(() => lfs.send(project, content))));
    expect(sent.filter(Boolean)).toEqual([]);
    expect(lfs.filesOf(content)).toBe(1);
    for (const project of projects) expect(await sizeOf(project)).toBe(content.length);
  });

  it('is refused if it is too large, or in an archived project', async () => {
    const { bed } = delivery;
    const project = bed.project();
    const asked = { oid: oidOf('x'), size: 2, most_bytes: 1 };
    await expect(bed.call(uploadLfsObject, asked, bed.as(project))).rejects.toMatchObject({ code: 'lfs.too_large' });
    const archived = bed.as({ ...project, isArchived: true });
    await expect(bed.call(uploadLfsObject, { ...asked, most_bytes: mostBytes }, archived)).rejects.toMatchObject({
      code: 'common.forbidden',
    });
  });

  it('is refused if the project is deleted during the upload', async () => {
    const { bed } = delivery;
    const project = bed.project();
    bed.removeProject(project);
    expect(await lfs.send(project, `late ${uniqueId()}`)).toBe('project.not_found');
    expect(await sizeOf(project)).toBe(0);
  });
});

describe('the limit of a project', () => {
  const room = async (project: ProjectRef, ...sizes: number[]) => {
    const { bed } = limited;
    const objects = sizes.map((size, at) => ({ oid: oidOf(`${at}`), size }));
    const found = await bed.call(findLfsObjects, { to_upload: true, most_bytes: mostBytes, objects }, bed.as(project));
    return found.map(({ state }) => state);
  };

  it('covers all its objects together, and is checked before they are sent', async () => {
    const project = limited.bed.project();
    expect(await room(project, 60, 60, 40)).toEqual(['missing', 'project_full', 'missing']);
    expect(await lfsOfLimited.send(project, 'a'.repeat(60))).toBeUndefined();
    expect(await room(project, 60, 40)).toEqual(['project_full', 'missing']);
    expect(await lfsOfLimited.send(project, 'b'.repeat(60))).toBe('lfs.project_full');
    expect(await lfsOfLimited.send(project, 'b'.repeat(40))).toBeUndefined();
  });

  it('holds for concurrent uploads', async () => {
    const project = limited.bed.project();
    const sent = await Promise.all(['c', 'd', 'e', 'f'].map((letter) => lfsOfLimited.send(project, letter.repeat(60))));
    expect(sent.filter((code) => code === undefined).length).toBeLessThanOrEqual(1);
    expect(new Set(sent.filter(Boolean))).toEqual(new Set(['lfs.project_full']));
  });

  it('counts bytes that are stored already, and not yet noted as those of the project', async () => {
    const project = limited.bed.project();
    const objects = limited.under.running.app.get(LfsObjects, { strict: false });
    const put = objects.put.bind(objects);
    let meanwhile: string | undefined;
    jest.spyOn(objects, 'put').mockImplementationOnce(async (given) => {
      meanwhile = await lfsOfLimited.send(project, 'h'.repeat(60));
      await put(given);
    });
    expect(await lfsOfLimited.send(project, 'g'.repeat(60))).toBeUndefined();
    expect(meanwhile).toBe('lfs.project_full');
    expect(await room(project, 40, 41)).toEqual(['missing', 'project_full']);
  });
});

describe('bytes that several projects have', () => {
  const copy = (from: ProjectRef, to: ProjectRef) =>
    delivery.bed.call(copyLfsObjects, { project_id: to.id, from_project_id: from.id }, contextOf({}));

  it('are in a fork, stored once, and remain if the source project is deleted', async () => {
    const { bed, under } = delivery;
    const [project, fork] = [bed.project(), bed.project()];
    const contents = [1, 2, 3].map((at) => `content ${at} ${uniqueId()}`);
    for (const content of contents) await lfs.send(project, content);
    await copy(project, fork);
    await copy(project, fork);
    expect(await sizeOf(fork)).toBe(await sizeOf(project));
    bed.removeProject(project);
    await under.emit(projectDeleted, { project_id: project.id, full_path: project.fullPath, storage: 'default' });
    await eventually(async () => (await sizeOf(project)) === 0, 'the end of the project');
    await removeUnused();
    for (const content of contents) expect(await lfs.contentOf(fork, oidOf(content))).toBe(content);
    await under.emit(projectDeleted, { project_id: fork.id, full_path: fork.fullPath, storage: 'default' });
    await eventually(async () => (await sizeOf(fork)) === 0, 'the end of the fork');
    await removeUnused();
    expect(contents.map((content) => lfs.filesOf(content))).toEqual([0, 0, 0]);
    expect(await coming(project)).toEqual([]);
  });

  it('are complete or missing in a fork of a project that is deleted concurrently', async () => {
    const { bed, under } = delivery;
    for (let turn = 0; turn < 5; turn++) {
      const [project, fork] = [bed.project(), bed.project()];
      const content = `turn ${turn} ${uniqueId()}`;
      await lfs.send(project, content);
      const leaving = under.running.app.get(RemoveLfsObjects, { strict: false });
      await Promise.all([copy(project, fork), leaving.ofProject(project.id), removeUnused()]);
      await removeUnused();
      const isThere = (await sizeOf(fork)) > 0;
      expect(lfs.filesOf(content)).toBe(isThere ? 1 : 0);
      if (isThere) expect(await lfs.contentOf(fork, oidOf(content))).toBe(content);
    }
  });

  it('are complete if they are uploaded again while they are removed', async () => {
    const { bed, under } = delivery;
    const project = bed.project();
    const content = `again ${uniqueId()}`;
    const leaving = under.running.app.get(RemoveLfsObjects, { strict: false });
    for (let turn = 0; turn < 5; turn++) {
      const other = bed.project();
      await lfs.send(other, content);
      const [refusal] = await Promise.all([lfs.send(project, content), leaving.ofProject(other.id).then(removeUnused)]);
      // At worst it has to be sent again.
      if (refusal) expect(refusal).toBe('common.unavailable');
      else expect(await lfs.contentOf(project, oidOf(content))).toBe(content);
      await leaving.ofProject(project.id);
      await removeUnused();
    }
    expect(lfs.filesOf(content)).toBe(0);
  });
});

/** Uploads of a project in progress, or abandoned and not removed yet. */
async function coming({ id: projectId }: ProjectRef): Promise<LfsContent[]> {
  const contents = delivery.under.running.app.get<Model<LfsContent>>(getModelToken('LfsContent'), { strict: false });
  return contents.find({ projectId, status: { $ne: 'stored' } }).lean<LfsContent[]>();
}
