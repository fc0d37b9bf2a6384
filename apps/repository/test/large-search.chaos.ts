import { createCommit, searchProjectBlobs } from '@moothall/contracts';
import { type ProjectUnderTest, type RepositoryUnderTest, startRepositoryService } from './repository-under-test';

let service: RepositoryUnderTest;
beforeAll(async () => {
  service = await startRepositoryService();
}, 60_000);
afterAll(() => service.stop());

async function put({ context }: ProjectUnderTest, files: Record<string, string | Buffer>, branch = 'main') {
  const actions = Object.entries(files).map(([file_path, content]) => ({
    action: 'create' as const,
    file_path,
    content: Buffer.from(content).toString('base64'),
    encoding: 'base64' as const,
  }));
  await service.client.call(createCommit, { id: 'x', branch, commit_message: 'more files', actions }, context);
}
const search = ({ context }: ProjectUnderTest, text: string, more: object = {}) =>
  service.client.call(searchProjectBlobs, { id: 'x', scope: 'blobs', search: text, ...more }, context);

it('answers in a repository of 10,000 files in less than a second', async () => {
  const made = await service.newProject();
  const hay = Array.from({ length: 80 }, (_, at) => `const value${at} = compute(${at}, 'some text of code');`).join(
    '\n',
  );
  const file = (at: number) => [`src/d${at % 100}/f${at}.ts`, `${hay}\n// ${at % 1000 === 7 ? 'needle' : at}\n`];
  await put(made, Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => file(at))));
  const times: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const started = performance.now();
    expect((await search(made, 'needle')).items).toHaveLength(10);
    times.push(Math.round(performance.now() - started));
  }
  console.info(`blobs in 10,000 files: ${times.join(', ')} ms`);
  expect(Math.min(...times)).toBeLessThan(1000);
}, 60_000);
