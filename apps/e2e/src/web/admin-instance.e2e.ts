import { PageVisitor } from '../identity/page-visitor';
import { askJson, connection, root, uniqueName } from '../server/connection';

/* Pages about the whole instance: counts, appearance, replication nodes, moves between storages. */

const evil = `"><script>alert(1)</script>`;
const escaped = '&quot;>&lt;script>alert(1)&lt;/script>';
const visitor = new PageVisitor();
beforeAll(() => visitor.signIn(connection.username, connection.password));

const textOf = async (path: string) => (await visitor.load(path)).text();
const api = async (path: string) => (await askJson('GET', path, { token: connection.token })).body;
const alertOf = (text: string): string | undefined => /role="alert">([^<]*)</.exec(text)?.[1];

it('the overview shows the version and how much there is', async () => {
  const [{ version, revision }, text] = [await api('/metadata'), await textOf('/admin')];
  expect(text).toContain(`Version ${version}, revision <code>${revision}</code>`);
  for (const kind of ['Users', 'Active users', 'Projects', 'Groups', 'Issues', 'Merge requests', 'SSH keys'])
    expect(text).toMatch(new RegExp(`<th scope="row">${kind}</th><td>[\\d,]+</td>`));
});

// Nothing is changed here: all tests share this server. apps/web/test/appearance.spec.ts changes it.
describe('the appearance', () => {
  const path = '/admin/application_settings/appearance';

  it('is shown with its colours', async () => {
    const [shown, text] = [await api('/application/appearance'), await textOf(path)];
    for (const field of ['message_background_color', 'message_font_color'])
      expect(text).toMatch(new RegExp(`name="${field}" [^>]*value="${shown[field]}"`));
  });

  it('has no colours that are more than colours', async () => {
    for (const color of ['red', '#12345', '#fff; } body { display: none', `${evil}`]) {
      const refused = await visitor.change(await visitor.load(path), { message_background_color: color }, 'appearance');
      const text = await refused.text();
      expect([color, refused.status, alertOf(text)]).toEqual([
        ...[color, 422, expect.stringContaining('must be a valid color code')],
      ]);
      expect(text).toMatch(/<p id="(appearance--\w+-problem)" class="wrong">.*aria-describedby="[^"]*\1"/s);
      expect(text).not.toMatch(/<script|<style>[^<]*display: none; \}/);
    }
  });

  it('stays as it is if nothing is changed', async () => {
    const saved = await visitor.change(await visitor.load(path), {}, 'appearance');
    expect([saved.status, (await saved.text()).includes('The changes are saved.')]).toEqual([200, true]);
  });
});

describe('the settings', () => {
  it.each(['general', 'network'])('of %s are shown, and stay as they are if nothing is changed', async (name) => {
    const path = `/admin/application_settings/${name}`;
    const saved = await visitor.change(await visitor.load(path), {}, 'settings');
    expect([saved.status, (await saved.text()).includes('The changes are saved.')]).toEqual([200, true]);
  });

  it('are refused with what is wrong, and what was typed', async () => {
    for (const [name, fields, problem] of [
      ['general', { home_page_url: 'javascript:alert(1)' }, 'Start page of visitors does not have a valid value'],
      [
        'general',
        { restricted_visibility_levels: `public, ${evil}` },
        'Visibilities that only administrators may choose',
      ],
      ['network', { max_attachment_size: '-1' }, 'Largest attachment'],
      ['network', { throttle_authenticated_api_period_in_seconds: evil }, 'Seconds of a period is invalid.'],
    ] as const) {
      const page = await visitor.load(`/admin/application_settings/${name}`);
      const refused = await visitor.change(page, fields, 'settings');
      const text = await refused.text();
      expect([fields, refused.status, alertOf(text)]).toEqual([fields, 422, expect.stringContaining(problem)]);
      expect(text).not.toContain('<script');
      const [typed] = Object.values(fields);
      expect(text).toContain(`value="${typed!.replace(evil, escaped)}"`);
    }
  });
});

describe('replication nodes', () => {
  const newNode = async () => {
    const name = uniqueName('node');
    return { ...(await root.GeoNodes.create(`${name} ${evil}`, `https://${name}.example.com/`)), short: name };
  };
  /** The page of the list that has the node: other tests declare nodes as well. */
  async function pageOf(id: number): Promise<Response> {
    for (let page = 1; page < 20; page += 1) {
      const response = await visitor.load(`/admin/geo/nodes?page=${page}`);
      if ((await response.clone().text()).includes(`name="of" value="${id}"`)) return response;
    }
    throw new Error('No page shows the node');
  }

  it('are listed, repaired with a secret that is shown once, and deleted', async () => {
    const node = await newNode();
    const page = await pageOf(node.id);
    const text = await page.clone().text();
    for (const shown of [`${node.short} ${escaped}`, 'secondary', 'has not reported a status'])
      expect(text).toContain(shown);
    expect(text).not.toContain('<script');
    const repaired = await visitor.submit(page, {}, 'repair', node.id);
    const issued = await repaired.text();
    const [secret, application] = ['issued', 'issued-username'].map(
      (name) => new RegExp(`id="${name}" readonly value="([^"]+)"`, 'i').exec(issued)?.[1],
    );
    const report = await askJson('POST', '/geo/status', {
      body: { application_id: application, secret, repositories_count: 8, repositories_failed_count: 3 },
    });
    expect(report.status).toBe(201);
    const again = await pageOf(node.id);
    const shown = await again.clone().text();
    expect([shown.includes(secret!), shown.includes('Repositories: 0 of 8 copied, 3 failed')]).toEqual([false, true]);
    await visitor.submit(again, {}, 'delete', node.id);
    await expect(root.GeoNodes.show(node.id)).rejects.toThrow(/Not Found/);
  });

  it('are created with the fields of the API, and the secret is shown once', async () => {
    const name = uniqueName('node');
    const facts = { name, url: `https://${name}.example.com/`, files_max_capacity: '3', sync_object_storage: '1' };
    const selected = { selective_sync_type: 'namespaces', selective_sync_namespace_ids: '3, 5' };
    const added = await visitor.change(await visitor.load('/admin/geo/nodes'), { ...facts, ...selected }, 'new-node');
    const text = await added.text();
    const [secret, application] = ['issued', 'issued-username'].map(
      (id) => new RegExp(`id="${id}" readonly value="([^"]+)"`, 'i').exec(text)?.[1],
    );
    const { status } = await askJson('POST', '/geo/status', { body: { application_id: application, secret } });
    expect([added.status, status]).toEqual([200, 201]);
    const node = await nodeNamed(name);
    expect(node).toMatchObject({
      ...{ url: facts.url, internal_url: facts.url, primary: false, enabled: true, sync_object_storage: true },
      ...{ selective_sync_type: 'namespaces', selective_sync_namespace_ids: [3, 5], selective_sync_shards: [] },
      ...{ files_max_capacity: 3, repos_max_capacity: 25, verification_max_capacity: 100 },
      ...{ container_repositories_max_capacity: 10, minimum_reverification_interval: 7 },
    });
    expect(await (await pageOf(node!.id)).text()).not.toContain(secret!);
    await root.GeoNodes.remove(node!.id);
    const plain = { name, url: facts.url };
    await visitor.change(await visitor.load('/admin/geo/nodes'), plain, 'new-node');
    const again = await nodeNamed(name);
    expect(again).toMatchObject({ selective_sync_type: null, files_max_capacity: 10, sync_object_storage: false });
    await root.GeoNodes.remove(again!.id);
  });

  it('are not created from what is wrong, and the page shows why beside the field', async () => {
    const [node, name] = [await newNode(), uniqueName('node')];
    const url = `https://${name}.example.com/`;
    for (const [fields, field, problem] of [
      [{ url: `javascript:${evil}` }, 'url', 'Only allowed schemes are http, https'],
      [{ name: ' ' }, 'name', 'Name can'],
      [{ url: node.url }, 'url', 'has already been taken'],
      [{ repos_max_capacity: '0' }, 'repos_max_capacity', 'must be greater than 0'],
      [{ minimum_reverification_interval: evil }, 'minimum_reverification_interval', 'is invalid.'],
    ] as const) {
      const refused = await visitor.change(
        await visitor.load('/admin/geo/nodes'),
        { name, url, ...fields },
        'new-node',
      );
      const text = await refused.text();
      expect([fields, refused.status, alertOf(text)]).toEqual([fields, 422, expect.stringContaining(problem)]);
      expect(text).toMatch(new RegExp(`<p id="new-node--${field}-problem" class="wrong">[^<]*${problem}`));
      expect(text).not.toContain('<script');
    }
    expect(await nodeNamed(name)).toBeUndefined();
    await root.GeoNodes.remove(node.id);
  });

  async function nodeNamed(name: string): Promise<{ id: number; name: string } | undefined> {
    for (let page = 1; page < 20; page += 1) {
      const nodes = (await api(`/geo_nodes?per_page=100&page=${page}`)) as unknown as { id: number; name: string }[];
      const found = nodes.find((node) => node.name === name);
      if (found || nodes.length === 0) return found;
    }
    return undefined;
  }

  /** Sends the form. A `>` in a value would confuse the visitor, so the name is given. */
  const change = (page: Response, name: string, fields: Record<string, string>) =>
    visitor.change(page, { name, ...fields }, 'node');

  it('are changed at their address in the API, and only in the fields that the user changed', async () => {
    const node = await newNode();
    const listed = await (await pageOf(node.id)).text();
    const edit = new URL(String(node.web_edit_url)).pathname;
    expect(listed).toContain(`<a href="${edit}">Edit <bdi>${node.short}`);
    const [first, second] = [await visitor.load(edit), await visitor.load(edit)];
    const text = await first.clone().text();
    expect([text.includes(`Edit node <bdi>${node.short} ${escaped}`), text.includes('<script')]).toEqual([true, false]);
    await root.GeoNodes.edit(node.id, { filesMaxCapacity: 7 } as never);
    const selected = { selective_sync_type: 'namespaces', selective_sync_namespace_ids: '3, 5' };
    const saved = await change(first, node.name, { ...selected, enabled: '', repos_max_capacity: '4' });
    expect([saved.status, (await saved.text()).includes('The changes are saved.')]).toEqual([200, true]);
    expect(await api(`/geo_nodes/${node.id}`)).toMatchObject({
      ...{ name: node.name, enabled: false, repos_max_capacity: 4, files_max_capacity: 7, primary: false },
      ...{ selective_sync_type: 'namespaces', selective_sync_namespace_ids: [3, 5], internal_url: node.url },
    });
    const conflict = await change(second, node.name, { repos_max_capacity: '5' });
    expect([conflict.status, alertOf(await conflict.text())]).toEqual([
      ...[
        422,
        expect.stringContaining('Repositories that are copied at a time was changed by somebody else meanwhile'),
      ],
    ]);
    const emptied = { selective_sync_type: '', selective_sync_namespace_ids: '', internal_url: '' };
    await change(await visitor.load(edit), node.name, emptied);
    expect(await api(`/geo_nodes/${node.id}`)).toMatchObject({
      ...{ selective_sync_type: null, selective_sync_namespace_ids: [], internal_url: node.url, enabled: false },
    });
    await root.GeoNodes.remove(node.id);
  });

  it('are not changed to what is wrong, and the page shows why', async () => {
    const node = await newNode();
    const edit = `/admin/geo/nodes/${node.id}/edit`;
    for (const [fields, problem] of [
      [{ url: `javascript:${evil}` }, 'Only allowed schemes are http, https'],
      [{ name: ' ' }, 'Name can'],
      [{ files_max_capacity: '0' }, 'must be greater than 0'],
      [{ selective_sync_namespace_ids: evil }, 'Ids of the copied groups is invalid.'],
    ] as const) {
      const refused = await change(await visitor.load(edit), node.name, fields);
      const text = await refused.text();
      expect([fields, refused.status, alertOf(text)]).toEqual([fields, 422, expect.stringContaining(problem)]);
      expect(text).not.toContain('<script');
    }
    expect(await api(`/geo_nodes/${node.id}`)).toMatchObject({ name: node.name, url: node.url });
    await root.GeoNodes.remove(node.id);
    for (const at of [edit, '/admin/geo/nodes/none/edit']) expect((await visitor.load(at)).status).toBe(404);
  });
});

describe('moves between storages', () => {
  const path = '/admin/repository_storage_moves';

  it('of projects that do not exist, or to storages that do not, are refused', async () => {
    const project = await root.Projects.create({ name: uniqueName('moved') });
    for (const [fields, problem] of [
      [{ project: `none/${evil}` }, 'role="alert"'],
      [{ project: project.path_with_namespace, destination_storage_name: 'none' }, 'is not included in the list'],
    ] as const) {
      const refused = await visitor.change(await visitor.load(path), fields, 'new-move');
      const text = await refused.text();
      expect([fields, refused.status, text.includes(problem)]).toEqual([fields, 422, true]);
      expect(text).not.toContain('<script');
    }
  });
});
