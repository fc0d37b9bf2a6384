import {
  configureErrorTracking,
  createGroup,
  createGroupBadge,
  createProject,
  createProjectBadge,
  deleteProjectBadge,
  getErrorTracking,
  getProjectBadge,
  listGroupBadges,
  listProjectBadges,
  renderGroupBadge,
  renderProjectBadge,
  repositoryFacts,
  switchErrorTracking,
  updateProjectBadge,
} from '@moothall/contracts';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
  projects.respond(repositoryFacts, () => ({
    commit_count: 1,
    repository_size: 10,
    wiki_size: 0,
    commit_sha: 'abc123',
  }));
});
afterAll(() => projects?.stop());

const urls = {
  link_url: 'https://example.com/%{project_path}/%{commit_sha}',
  image_url: 'https://example.com/%{project_id}.svg?b=%{default_branch}&o=%{other}',
};

async function projectInGroup() {
  const ann = await projects.user();
  const group = await projects.ask(ann, createGroup, { name: 'g', path: uniqueName('group'), visibility: 'public' });
  const project = await projects.ask(ann, createProject, {
    path: 'tool',
    namespace_id: group.id,
    visibility: 'public',
    initialize_with_readme: true,
  });
  return { ann, group, project, id: String(project.id), groupId: String(group.id) };
}

describe('badges', () => {
  // v4 servers trim blanks.
  it('are stored with trimmed addresses', async () => {
    const { ann, id } = await projectInGroup();
    const padded = { link_url: ' https://example.com/a ', image_url: '\thttps://example.com/a.svg' };
    const made = await projects.ask(ann, createProjectBadge, { id, ...padded });
    expect(made).toMatchObject({ link_url: 'https://example.com/a', image_url: 'https://example.com/a.svg' });
  });

  it('have their placeholders resolved on read', async () => {
    const { ann, group, project, id } = await projectInGroup();
    const created = await projects.ask(ann, createProjectBadge, { id, ...urls, name: 'Build' });
    expect(created).toEqual({
      id: expect.any(Number),
      name: 'Build',
      kind: 'project',
      ...urls,
      rendered_link_url: `https://example.com/${group.path}/tool/abc123`,
      rendered_image_url: `https://example.com/${project.id}.svg?b=main&o=%{other}`,
    });
    expect(await projects.ask(undefined, getProjectBadge, { id, badge_id: created.id })).toEqual(created);
    expect(await projects.ask(ann, renderProjectBadge, { id, ...urls })).toEqual({
      ...urls,
      rendered_link_url: created.rendered_link_url,
      rendered_image_url: created.rendered_image_url,
    });
  });

  it('of groups come first, are found by exact name, and cannot be changed by a project', async () => {
    const { ann, id, groupId } = await projectInGroup();
    const own = await projects.ask(ann, createProjectBadge, { id, ...urls, name: 'own' });
    const ofGroup = await projects.ask(ann, createGroupBadge, { id: groupId, ...urls, name: 'ours' });
    expect(ofGroup).toMatchObject({ kind: 'group', rendered_link_url: urls.link_url });
    const all = await projects.ask(ann, listProjectBadges, { id });
    expect(all.items.map((badge) => [badge.id, badge.kind])).toEqual([
      [ofGroup.id, 'group'],
      [own.id, 'project'],
    ]);
    expect((await projects.ask(ann, listProjectBadges, { id, name: 'Own' })).items).toEqual([]);
    expect((await projects.ask(ann, listProjectBadges, { id, name: 'own' })).items).toHaveLength(1);
    expect((await projects.ask(ann, listGroupBadges, { id: groupId })).total).toBe(1);
    const change = projects.ask(ann, updateProjectBadge, { id, badge_id: ofGroup.id, name: 'x' });
    expect((await refusal(change)).code).toBe('badge.not_found');
    const removal = projects.ask(ann, deleteProjectBadge, { id, badge_id: ofGroup.id });
    expect((await refusal(removal)).code).toBe('badge.of_group');
    await projects.ask(ann, deleteProjectBadge, { id, badge_id: own.id });
    expect((await projects.ask(ann, listProjectBadges, { id })).total).toBe(1);
    const onFirstProject = await projects.ask(ann, renderGroupBadge, { id: groupId, ...urls });
    expect(onFirstProject.rendered_link_url).toContain('/tool/abc123');
  });

  it.each([1, 2, 3, 4, 6])('are listed on pages of %i from the top down, with the same total on each', async (size) => {
    const { ann, id, groupId } = await projectInGroup();
    for (const name of ['p1', 'p2', 'both', 'p3']) await projects.ask(ann, createProjectBadge, { id, ...urls, name });
    for (const name of ['g1', 'both', 'g2']) await projects.ask(ann, createGroupBadge, { id: groupId, ...urls, name });
    const walk = async (input: object, pages: number) => {
      const names: (string | null)[] = [];
      const totals = new Set<number | undefined>();
      for (let page = 1; page <= pages; page++) {
        const { items, total } = await projects.ask(ann, listProjectBadges, { id, ...input, page, per_page: size });
        names.push(...items.map((badge) => badge.name));
        totals.add(total);
        expect(items.length).toBeLessThanOrEqual(size);
      }
      return { names, totals: [...totals] };
    };
    expect(await walk({}, 8)).toEqual({ names: ['g1', 'both', 'g2', 'p1', 'p2', 'both', 'p3'], totals: [7] });
    expect(await walk({ name: 'both' }, 3)).toEqual({ names: ['both', 'both'], totals: [2] });
  });

  it('point to web pages only, and are for maintainers to make', async () => {
    const { ann, id } = await projectInGroup();
    const bad = projects.ask(ann, createProjectBadge, { id, ...urls, link_url: 'javascript:alert(1)' });
    expect((await refusal(bad)).message).toEqual({
      link_url: ['is blocked: Only allowed schemes are http, https'],
    });
    const ben = await projects.user();
    expect((await refusal(projects.ask(ben, createProjectBadge, { id, ...urls }))).code).toBe('common.forbidden');
    expect((await projects.ask(ben, listProjectBadges, { id })).items).toEqual([]);
  });
});

describe('error tracking', () => {
  it('is enabled after it is configured, and does not return its token', async () => {
    const { ann, id } = await projectInGroup();
    expect((await refusal(projects.ask(ann, getErrorTracking, { id }))).code).toBe('error_tracking.not_configured');
    const unset = projects.ask(ann, switchErrorTracking, { id, active: true });
    expect((await refusal(unset)).code).toBe('error_tracking.not_configured');
    await projects.ask(ann, configureErrorTracking, {
      id,
      api_url: 'https://errors.example/api/0/projects/org/tool',
      project_name: 'tool',
      token: 'secret-token',
    });
    const settings = await projects.ask(ann, switchErrorTracking, { id, active: false });
    expect(settings).toEqual({
      active: false,
      project_name: 'tool',
      sentry_external_url: 'https://errors.example/org/tool',
      tracker_external_url: 'https://errors.example/org/tool',
      api_url: 'https://errors.example/api/0/projects/org/tool',
      integrated: false,
    });
    expect(JSON.stringify(await projects.ask(ann, getErrorTracking, { id }))).not.toContain('secret-token');
    const ben = await projects.user();
    expect((await refusal(projects.ask(ben, getErrorTracking, { id }))).code).toBe('common.forbidden');
  });
});
