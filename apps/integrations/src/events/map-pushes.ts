import { pushReceived, repositoryUpdated, wikiPageChanged } from '@moothall/contracts';
import { type EventMapper, mapEvent, ofProject, once } from './event-mapper';

/** Pushes, tags and wiki pages. */
export const pushMappers: readonly EventMapper[] = [
  mapEvent(pushReceived, async (event, facts) => {
    const { data } = event;
    const project = await facts.project(data.project_id);
    if (!project) return [];
    const kind = data.ref_type === 'tag' ? 'tag_push' : 'push';
    const branch = data.ref_type === 'branch' ? data.ref.replace('refs/heads/', '') : null;
    const payload = once(async () => {
      const user = await facts.user(data.user?.id ?? null);
      return {
        object_kind: kind,
        event_name: kind,
        before: data.before,
        after: data.after,
        ref: data.ref,
        ref_protected: branch !== null && ((await facts.isProtected(project, branch)) ?? false),
        checkout_sha: data.checkout_sha,
        message: data.message,
        user_id: data.user?.id ?? null,
        user_name: data.user?.name ?? null,
        user_username: data.user?.username ?? null,
        user_email: data.user?.email ?? null,
        user_avatar: user?.avatar_url ?? null,
        project_id: project.id,
        project: facts.viewProject(project),
        commits: data.commits,
        total_commits_count: data.total_commits_count,
        push_options: {},
        repository: facts.viewRepository(project),
      };
    });
    return [ofProject(event, project, `${kind}_events`, payload, { branch, system: payload })];
  }),

  mapEvent(repositoryUpdated, async (event, facts) => {
    const { project_id, user, changes } = event.data;
    const project = await facts.project(project_id);
    if (!project) return [];
    const payload = once(async () => ({
      event_name: 'repository_update',
      user_id: user?.id ?? null,
      user_name: user?.name ?? null,
      user_email: user?.email ?? null,
      user_avatar: (await facts.user(user?.id ?? null))?.avatar_url ?? null,
      project_id,
      project: facts.viewProject(project),
      changes,
      refs: changes.map(({ ref }) => ref),
    }));
    return [ofProject(event, project, 'repository_update_events', payload, { system: payload })];
  }),

  mapEvent(wikiPageChanged, async (event, facts) => {
    const { data } = event;
    const project = await facts.project(data.project_id);
    if (!project) return [];
    const wikiUrl = facts.webUrl(project.fullPath, '-', 'wikis', 'home');
    const payload = async () => ({
      object_kind: 'wiki_page',
      user: facts.viewUser(await facts.user(data.user?.id ?? null)),
      project: facts.viewProject(project),
      wiki: {
        web_url: wikiUrl,
        git_ssh_url: `${facts.viewProject(project).git_ssh_url}`.replace(/\.git$/, '.wiki.git'),
        git_http_url: `${facts.webUrl(project.fullPath)}.wiki.git`,
        path_with_namespace: `${project.fullPath}.wiki`,
        default_branch: project.defaultBranch,
      },
      object_attributes: {
        slug: data.slug,
        title: data.title,
        format: data.format,
        message: data.message,
        content: data.content,
        version_id: data.version_id,
        url: facts.webUrl(project.fullPath, '-', 'wikis', data.slug),
        action: data.action,
        diff_url: facts.webUrl(project.fullPath, '-', 'wikis', data.slug, `diff?version_id=${data.version_id}`),
      },
    });
    return [ofProject(event, project, 'wiki_page_events', payload)];
  }),
];
