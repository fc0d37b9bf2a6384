import {
  appearanceChanged,
  applicationSettingsChanged,
  createProject,
  defaultPlanLimits,
  deleteFeature,
  deleteProject,
  featuresChanged,
  getAppearance,
  getAppearanceImage,
  getApplicationSettings,
  getPlanLimits,
  getProject,
  getProjectAvatar,
  getUpload,
  isFeatureOn,
  listFeatures,
  planLimitsChanged,
  readApplicationSettings,
  readPlanLimits,
  repositoryFacts,
  setFeature,
  updateAppearance,
  updateApplicationSettings,
  updatePlanLimits,
  updateProject,
  uploadFile,
} from '@moothall/contracts';
import { Jobs } from '@moothall/jobs';
import { ObjectStorage } from '@moothall/object-storage';
import { eventually, itWithoutFaults, UploadStore } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { avatarChecks } from '../src/image/avatars';
import { type FeatureDocument, mostActors } from '../src/instance/feature/feature.schema';
import { Projects } from '../src/project/project.repository';
import { ForgetFormerAvatar } from '../src/removal/forget-former-avatar';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

let projects: ProjectsUnderTest;
let files: UploadStore;
let strangers: UploadStore;
beforeAll(async () => {
  files = await UploadStore.start();
  strangers = await UploadStore.start('a key that nobody here signs with');
  projects = await startProjects();
});
afterAll(async () => {
  await projects?.stop();
  await files?.stop();
  await strangers?.stop();
});

const administrator = () => projects.user(undefined, { isAdmin: true });

describe('appearance', () => {
  it('is empty first, and is set by administrators', async () => {
    const root = await administrator();
    expect(await projects.ask(root, getAppearance, {})).toEqual({
      title: '',
      description: '',
      logo: null,
      header_logo: null,
      favicon: null,
      new_project_guidelines: '',
      profile_image_guidelines: '',
      header_message: '',
      footer_message: '',
      message_background_color: '#E75E40',
      message_font_color: '#FFFFFF',
      email_header_and_footer_enabled: false,
    });
    const changed = await projects.ask(root, updateAppearance, { title: 'Our hall', message_font_color: '#abc' });
    expect(changed).toMatchObject({ title: 'Our hall', message_font_color: '#abc', description: '' });
    expect(projects.events(appearanceChanged)).toHaveLength(1);
    const ann = await projects.user();
    expect((await refusal(projects.ask(ann, getAppearance, {}))).code).toBe('common.forbidden');
  });

  it('returns an error for every invalid colour', async () => {
    const root = await administrator();
    const colors = { message_font_color: 'red', message_background_color: '#12345' };
    expect((await refusal(projects.ask(root, updateAppearance, colors))).message).toEqual({
      message_font_color: ['must be a valid color code'],
      message_background_color: ['must be a valid color code'],
    });
  });

  it('serves images to everybody, with the right type and no right to run script', async () => {
    const root = await administrator();
    const { logo } = await projects.ask(root, updateAppearance, { logo: files.add(png, 'our logo.png') });
    const [kind, version, filename] = logo!.split('/').slice(-3);
    const image = { kind: kind as 'logo', version: version!, filename: filename! };
    const presigned = await projects.ask(undefined, getAppearanceImage, image);
    const response = await fetch(presigned.url);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);
    const removed = await projects.ask(root, updateAppearance, { logo: '' });
    expect(removed.logo).toBeNull();
    const gone = projects.ask(undefined, getAppearanceImage, image);
    expect((await refusal(gone)).code).toBe('common.not_found');
  });

  it('refuses a script as image, and then changes nothing', async () => {
    const root = await administrator();
    const attempt = projects.ask(root, updateAppearance, {
      title: 'changed',
      logo: files.add(png, 'logo.png'),
      favicon: files.add(svg, 'favicon.png'),
    });
    expect((await refusal(attempt)).message).toEqual({
      favicon: ['You are not allowed to upload "png" files, allowed types: png, ico'],
    });
    expect(await projects.ask(root, getAppearance, {})).toMatchObject({ title: 'Our hall', logo: null });
  });
});

describe('features', () => {
  itWithoutFaults('are set for all or some, and published to services', async () => {
    const root = await administrator();
    const ask = async (username?: string) =>
      (await projects.client.call(isFeatureOn, { name: 'first_class_vulnerabilities', username })).is_on;
    expect(await ask('ann')).toBe(false);
    const name = 'first_class_vulnerabilities';
    const set = await projects.ask(root, setFeature, { name, value: 'true', user: 'Ann,ben' });
    expect(set).toMatchObject({ name, state: 'conditional' });
    expect([await ask('ann'), await ask('cat')]).toEqual([true, false]);
    expect(await projects.ask(root, setFeature, { name, value: true })).toMatchObject({ state: 'on' });
    expect(await ask()).toBe(true);
    expect(await projects.ask(root, setFeature, { name, value: false })).toMatchObject({ state: 'off' });
    expect(await ask('ann')).toBe(false);
    await projects.ask(root, setFeature, { name, value: 100, key: 'percentage_of_actors' });
    expect(await ask('ann')).toBe(true);
    await projects.ask(root, deleteFeature, { name });
    expect(await projects.ask(root, listFeatures, {})).toEqual([]);
    await eventually(() => projects.events(featuresChanged).length >= 5, 'the events');
    expect(projects.events(featuresChanged)).toHaveLength(5);
  });
});

describe('a feature', () => {
  it('is set for ten thousand by name at most', async () => {
    const root = await administrator();
    const name = uniqueName('flag');
    const setFor = (...users: string[]) =>
      projects.ask(root, setFeature, { name, value: 'true', user: users.join(',') });
    await setFor('ann');
    const features = projects.running.app.get<Model<FeatureDocument>>(getModelToken('Feature'));
    const others = Array.from({ length: mostActors - 2 }, (_, at) => `user:u${at}`);
    await features.updateOne({ _id: name }, { $push: { actors: { $each: others } } });
    expect((await refusal(setFor('ben', 'cat'))).message).toEqual({ actors: ['are too many'] });
    await setFor('ben');
    expect((await refusal(setFor('cat'))).message).toEqual({ actors: ['are too many'] });
    await projects.ask(root, setFeature, { name, value: 'false', user: 'ann' });
    await setFor('cat');
    await projects.ask(root, deleteFeature, { name });
  });
});

describe('application settings', () => {
  it('are stored separately from their defaults, and changes are published', async () => {
    const root = await administrator();
    const before = await projects.ask(root, getApplicationSettings, {});
    expect(before).toMatchObject({
      allow_local_requests_from_web_hooks_and_services: false,
      allow_local_requests_from_system_hooks: true,
    });
    // The setting has no effect here, so it is not shown.
    expect(before).not.toHaveProperty('plantuml_enabled');
    await projects.ask(root, updateApplicationSettings, { max_attachment_size: 1, import_sources: [] });
    const after = await projects.client.call(readApplicationSettings, {});
    expect(after).toEqual({ ...before, max_attachment_size: 1, import_sources: [] });
    expect(projects.events(applicationSettingsChanged).at(-1)?.data.names).toEqual([
      'max_attachment_size',
      'import_sources',
    ]);
  });
});

describe('files of a project', () => {
  it('are stored, found by their address, and deleted with the project', async () => {
    const ann = await projects.user();
    const ben = await projects.user();
    const { id: number } = await projects.ask(ann, createProject, { name: 'tool' });
    const id = String(number);
    const page = Buffer.from('<script>alert(1)</script>');
    const file = files.add(page, 'notes (1).html', { contentType: 'text/html' });
    const upload = await projects.ask(ann, uploadFile, { id, file });
    expect(upload).toMatchObject({ alt: 'notes (1).html', markdown: `[notes (1).html](${upload.url})` });
    expect(upload.full_path).toBe(`/-/project/${id}${upload.url}`);
    const address = { id, secret: upload.id, filename: 'notes (1).html' };
    const presigned = await projects.ask(ann, getUpload, address);
    const response = await fetch(presigned.url);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(await response.text()).toBe(page.toString());
    expect((await refusal(projects.ask(ben, getUpload, address))).code).toBe('project.not_found');
    await projects.ask(ann, deleteProject, { id });
    await eventually(async () => (await fetch(presigned.url)).status === 404, 'the end of the file');
  });

  it('are no larger than the instance allows', async () => {
    const ann = await projects.user();
    const { id } = await projects.ask(ann, createProject, { name: 'tool' });
    const file = files.add(Buffer.alloc(1024 ** 2 + 1), 'large.bin');
    const large = projects.ask(ann, uploadFile, { id: String(id), file });
    expect((await refusal(large)).code).toBe('common.too_large');
  });

  // Only bytes behind a URL that a gateway signed are read, and they are counted; the received size is stored.
  it.each<[string, () => { ticket: string }, string]>([
    ['an address', () => ({ ticket: 'http://127.0.0.1:1/secret.txt' }), 'common.bad_request'],
    ['another key', () => strangers.add(Buffer.from('x'), 'x.txt'), 'common.bad_request'],
    ['a wrong size', () => files.add(Buffer.from('xx'), 'x.txt', { sizeBytes: 1 }), 'common.bad_request'],
    ['a size below nothing', () => files.add(Buffer.from('xx'), 'x.txt', { sizeBytes: -5 }), 'common.bad_request'],
    ['a small size of much', () => files.add(Buffer.alloc(1024 ** 2 + 1), 'x', { sizeBytes: 1 }), 'common.too_large'],
  ])('are refused from %s', async (_name, forge, code) => {
    const ann = await projects.user();
    const { id } = await projects.ask(ann, createProject, { name: 'tool' });
    const taken = projects.ask(ann, uploadFile, { id: String(id), file: forge() });
    expect((await refusal(taken)).code).toBe(code);
    const avatar = projects.ask(ann, updateProject, { id: String(id), avatar: forge() });
    expect(['common.bad_request', 'common.invalid_record']).toContain((await refusal(avatar)).code);
    const facts = { commit_count: 0, repository_size: 0, wiki_size: 0, commit_sha: null };
    projects.respond(repositoryFacts, () => facts);
    const { statistics } = await projects.ask(ann, getProject, { id: String(id), statistics: true });
    expect(statistics).toMatchObject({ uploads_size: 0 });
  });

  it('include an avatar', async () => {
    const ann = await projects.user();
    const created = await projects.ask(ann, createProject, { name: 'tool', avatar: files.add(png, 'face.png') });
    const id = String(created.id);
    expect(created.avatar_url).toBe(`http://moothall.test/uploads/-/system/project/avatar/${id}/face.png`);
    const presigned = await projects.ask(ann, getProjectAvatar, { id, filename: 'face.png' });
    expect((await (await fetch(presigned.url)).arrayBuffer()).byteLength).toBe(png.length);
    const bad = projects.ask(ann, updateProject, { id, avatar: files.add(svg, 'face.svg') });
    expect((await refusal(bad)).message).toHaveProperty('avatar');
    expect(await projects.ask(ann, updateProject, { id, avatar: '' })).toMatchObject({ avatar_url: null });
    expect((await projects.ask(ann, getProject, { id })).avatar_url).toBeNull();
  });

  // Regression: former ones were never deleted.
  it('include an avatar that is deleted when it is replaced', async () => {
    const { app } = projects.running;
    const ann = await projects.user();
    const created = await projects.ask(ann, createProject, { name: 'tool', avatar: files.add(png, 'one.png') });
    const { id } = created;
    await projects.ask(ann, updateProject, { id: String(id), avatar: files.add(png, 'two.png') });
    const isOfIt = ({ data }: { data: { kind: string; id: number } }) => data.kind === 'project' && data.id === id;
    const jobs = (await app.get(Jobs, { strict: false }).open(avatarChecks).getDelayed()).filter(isOfIt);
    expect(jobs).toHaveLength(2);
    const shown = (await app.get(Projects, { strict: false }).get(id)).avatar?.key;
    const storage = app.get(ObjectStorage, { strict: false });
    for (const { data } of jobs) await app.get(ForgetFormerAvatar, { strict: false }).run(data);
    for (const { data } of jobs) {
      const read = storage.read(data.key).then(
        ({ stream }) => stream.resume() && 'there',
        () => 'gone',
      );
      expect(await read).toBe(data.key === shown ? 'there' : 'gone');
    }
  });
});

describe('plan limits', () => {
  it('have the documented defaults, and are set by administrators', async () => {
    const root = await administrator();
    expect(await projects.ask(root, getPlanLimits, {})).toEqual(defaultPlanLimits);
    const given = { plan_name: 'default' as const, ci_pipeline_size: 20, helm_max_file_size: 7 };
    const changed = await projects.ask(root, updatePlanLimits, given);
    expect(changed).toEqual({ ...defaultPlanLimits, ci_pipeline_size: 20, helm_max_file_size: 7 });
    expect(await projects.ask(root, readPlanLimits, {})).toEqual(changed);
    await eventually(() =>
      projects.events(planLimitsChanged).some(({ data }) => data.names.includes('helm_max_file_size')),
    );
    const reset = { plan_name: 'default' as const, ci_pipeline_size: 0, helm_max_file_size: 5 * 1024 ** 2 };
    expect(await projects.ask(root, updatePlanLimits, reset)).toEqual(defaultPlanLimits);
  });

  it('store both of two concurrent changes', async () => {
    const root = await administrator();
    const set = (over: object) => projects.ask(root, updatePlanLimits, { plan_name: 'default' as const, ...over });
    await Promise.all([set({ npm_max_file_size: 1 }), set({ nuget_max_file_size: 2 })]);
    expect(await projects.ask(root, getPlanLimits, {})).toMatchObject({ npm_max_file_size: 1, nuget_max_file_size: 2 });
  });
});
