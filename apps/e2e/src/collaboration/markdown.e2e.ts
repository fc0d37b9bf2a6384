import { ask, connection, newUser, uniqueName } from '../server/connection';

it('is HTML with links to records that the caller may see', async () => {
  const { client, username, token } = await newUser('writer');
  const project = await client.Projects.create({
    name: uniqueName('project'),
    initializeWithReadme: true,
    visibility: 'private',
  });
  await client.Issues.create(project.id, 'First');
  await client.ProjectLabels.create(project.id, 'needs work', '#112233');
  const [commit] = await client.Commits.all(project.id);
  const text = `**#1** @${username} ~"needs work" ${commit!.short_id} #2 <script>x</script>`;
  const options = { gfm: 'true', project: project.path_with_namespace };
  const { html } = (await client.Markdown.render(text, options)) as { html: string };
  const place = `${connection.url}/${project.path_with_namespace}/-`;
  expect(html).toContain(`<strong><a href="${place}/issues/1" title="First" class="gfm gfm-issue">#1</a></strong>`);
  expect(html).toContain(`href="${connection.url}/${username}"`);
  expect(html).toContain(`href="${place}/issues?label_name=needs%20work"`);
  if (/[a-f]/.test(commit!.short_id) && /\d/.test(commit!.short_id))
    expect(html).toContain(`${place}/commit/${commit!.id}`);
  expect(html).toContain('#2 &lt;script&gt;');
  const byId = (await client.Markdown.render('#1', { gfm: 'true', project: project.id })) as { html: string };
  expect(byId.html).toContain(`${place}/issues/1`);
  const send = (body: object, as?: string) =>
    ask('/api/v4/markdown', {
      method: 'POST',
      token: as,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const plain = await send({ text: '#1 *a*' });
  expect([plain.status, await plain.json()]).toEqual([201, { html: '<p>#1 <em>a</em></p>\n' }]);
  expect((await send({ text: '#1', gfm: true, project: String(project.id) })).status).toBe(404);
  expect((await send({}, token)).status).toBe(400);
  expect((await send({ text: 'x'.repeat(1_048_577) }, token)).status).toBe(400);
});
