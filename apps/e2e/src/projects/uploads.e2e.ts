import { ask, newUser, uniqueName } from '../server/connection';

/* Uploads of a project, by @gitbeaker/rest's ProjectMarkdownUploads. See docs/api/projects.md#8. */

it('ProjectMarkdownUploads: uploads, lists, downloads and removes', async () => {
  const [user, reader] = [await newUser(), await newUser()];
  const { ProjectMarkdownUploads, ProjectMembers, Projects } = user.client;
  const { id } = await Projects.create({ name: uniqueName('uploads') });
  await ProjectMembers.add(id, 30, { userId: reader.id });
  const put = async (filename: string) => {
    const { url } = await ProjectMarkdownUploads.create(id, { filename, content: new Blob([`of ${filename}`]) });
    return url.split('/') as [string, string, string, string];
  };
  const [, , first] = await put('a.txt');
  const [, , second, name] = await put('b ü.txt');

  const listed = await ProjectMarkdownUploads.all(id);
  expect(listed).toMatchObject([
    { filename: 'b ü.txt', size: Buffer.byteLength('of b ü.txt'), uploaded_by: { username: user.username } },
    { filename: 'a.txt', size: 8 },
  ]);
  expect(await ProjectMarkdownUploads.all(id, { perPage: 1, page: 2 })).toMatchObject([{ filename: 'a.txt' }]);
  const { id: uploadId } = listed[1] as unknown as { id: string };
  expect(uploadId).toBe(first);
  expect(await (await ProjectMarkdownUploads.download(id, uploadId)).text()).toBe('of a.txt');

  // A reader of the project can read files by their URLs, but cannot list or delete them.
  const uploads = `/api/v4/projects/${id}/uploads`;
  for (const [method, path] of [
    ['GET', ''],
    ['GET', `/${first}`],
    ['DELETE', `/${first}`],
    ['DELETE', `/${first}/a.txt`],
  ]) {
    expect((await ask(`${uploads}${path}`, { method: method!, token: reader.token })).status).toBe(403);
  }
  expect(await (await ask(`${uploads}/${first}/a.txt`, { token: reader.token })).text()).toBe('of a.txt');

  await ProjectMarkdownUploads.remove(id, uploadId);
  expect((await ask(`${uploads}/${first}/a.txt`, { token: user.token })).status).toBe(404);
  await expect(ProjectMarkdownUploads.remove(id, uploadId)).rejects.toThrow(/Not found/);
  await expect(ProjectMarkdownUploads.remove(id, second, 'other.txt')).rejects.toThrow(/Not found/);
  await ProjectMarkdownUploads.remove(id, second, decodeURIComponent(name));
  expect(await ProjectMarkdownUploads.all(id)).toEqual([]);

  // An upload of another project is not found here.
  const other = await Projects.create({ name: uniqueName('uploads') });
  const { url } = await ProjectMarkdownUploads.create(other.id, { filename: 'c.txt', content: new Blob(['c']) });
  const [, , foreign] = url.split('/');
  for (const path of [`/${foreign}`, `/${foreign}/c.txt`, '/%00', `/${'x'.repeat(5000)}`]) {
    const answer = await ask(`${uploads}${path}`, { method: 'DELETE', token: user.token });
    expect([400, 404]).toContain(answer.status);
  }
  expect(await (await ProjectMarkdownUploads.download(other.id, String(foreign))).text()).toBe('c');
});
