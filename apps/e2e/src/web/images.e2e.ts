import { PageVisitor } from '../identity/page-visitor';
import { day, describeImages } from '../registry/image-client';
import { connection, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Pages of container images show what was pushed, and delete it for members. */

describeImages((clientOf) => {
  it('are listed with their tags, and deleted by members', async () => {
    const owner = await newUser('pusher');
    const visitor = new PageVisitor();
    await visitor.signIn(owner.username, owner.password);
    const project = await owner.client.Projects.create({ name: uniqueName('image'), visibility: 'public' });
    const name = String(project.path_with_namespace);
    const list = `/${name}/-/container_registry`;
    expect(await (await visitor.load(list)).text()).toContain(`docker push `);

    const images = clientOf(connection.registry_url!);
    await images.signIn(owner.username, owner.password);
    await images.push(`${name}/server:v1`, day(1));
    await images.push(`${name}/server:v2`, day(2));
    const text = await until('the images', async () => {
      const shown = await (await visitor.load(list)).text();
      return shown.includes('2 tags') ? shown : undefined;
    });
    const [, address] = /href="([^"]*\/container_registry\/\d+)"/.exec(text)!;

    const stranger = await (await new PageVisitor().load(address!)).text();
    expect(stranger).toContain(`docker pull ${images.host}/${name}/server`);
    expect(stranger).not.toContain('name="form"');
    const without = await visitor.submit(await visitor.load(address!), {}, 'delete-tag', 'v1');
    const left = await without.clone().text();
    expect([left.includes('<bdi>v1</bdi>'), left.includes('<bdi>v2</bdi>')]).toEqual([false, true]);
    const deleted = await visitor.submit(without, {}, 'delete');
    expect([deleted.status, new URL(deleted.url).pathname]).toEqual([200, list]);
    await until('the deletion', async () => (await visitor.load(address!)).status === 404);
    const other = await owner.client.Projects.create({ name: uniqueName('other') });
    expect((await visitor.load(`/${other.path_with_namespace}/-/container_registry/1`)).status).toBe(404);
  });
});
