import { releaseChanged } from '@moothall/contracts';
import { type EventMapper, mapEvent, ofProject } from './event-mapper';

const formats = ['zip', 'tar.gz', 'tar.bz2', 'tar'];

/** Releases. */
export const releaseMappers: readonly EventMapper[] = [
  mapEvent(releaseChanged, async (event, facts) => {
    const { action, project_id, release, commit } = event.data;
    const project = await facts.project(project_id);
    if (!project) return [];
    const { id, tag_name, name, description, created_at, released_at } = release;
    const tag = encodeURIComponent(tag_name);
    const payload = async () => {
      const url = facts.webUrl(project.fullPath, '-', 'releases', tag);
      const archive = facts.webUrl('api', 'v4', 'projects', project.id, 'repository', 'archive');
      const sources = formats.map((format) => ({ format, url: `${archive}.${format}?sha=${tag}` }));
      const links = release.links.map((link) => ({ ...link, external: !link.url.startsWith(facts.webUrl('')) }));
      return {
        id,
        created_at,
        description,
        name,
        released_at,
        tag: tag_name,
        object_kind: 'release',
        project: facts.viewProject(project),
        url,
        action,
        assets: { count: links.length + sources.length, links, sources },
        commit,
      };
    };
    return [ofProject(event, project, 'releases_events', payload)];
  }),
];
