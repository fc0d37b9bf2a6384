import { createProjectHook, releaseChanged } from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { startWithReceiver } from './integrations-under-test';

/* Hook payloads of releases. */

const started = shareBetweenTests(startWithReceiver);

it('has the release, its files and its commit', async () => {
  const { bed, receiver } = started;
  const project = bed.project();
  const hook = { id: String(project.id), url: receiver.url('/releases'), releases_events: true };
  await bed.call(createProjectHook, hook, bed.as(project));
  const at = '2026-01-01T00:00:00.000Z';
  const author = { name: 'Ada', email: 'ada@example.com' };
  const commit = { id: 'a'.repeat(40), title: 'first', message: 'first\n', timestamp: at, url: 'http://x/c', author };
  const link = { id: 1, name: 'app', url: 'https://example.com/app', link_type: 'package' as const };
  const release = { id: 7, name: 'One', description: 'text', created_at: at, released_at: at };
  await bed.emit(releaseChanged, {
    action: 'create',
    project_id: project.id,
    user_id: 7,
    release: { ...release, tag_name: 'v1', links: [link] },
    commit,
  });
  await eventually(async () => receiver.at('/releases').length === 1, 'the event');
  const [delivered] = receiver.at('/releases');
  expect(delivered!.body).toMatchObject({
    object_kind: 'release',
    action: 'create',
    ...release,
    tag: 'v1',
    project: { id: project.id },
    assets: { count: 5, links: [{ ...link, external: true }] },
    commit,
  });
});
