import type { SimpleProject } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import { pathOf } from './address';
import { Avatar } from './avatar';
import { Day } from './time';

/** Projects, one below the other. */
export const ProjectList = ({ projects, none }: { projects: readonly SimpleProject[]; none: string }) =>
  projects.length === 0 ? (
    <p class="dim">{none}</p>
  ) : (
    <ul class="list">
      {projects.map((project) => (
        <li key={project.id}>
          <ProjectItem project={project} />
        </li>
      ))}
    </ul>
  );

const ProjectItem = ({ project }: { project: SimpleProject }) => (
  <>
    <p>
      <Avatar of={project} size={20} />
      <a href={pathOf(project.web_url)}>
        <Named>{project.name_with_namespace}</Named>
      </a>{' '}
      <span class="tag">{project.visibility}</span>
    </p>
    {project.description && (
      <p class="dim cut">
        <Named>{project.description}</Named>
      </p>
    )}
    <p class="dim">
      {count(project.star_count, 'star')}, {count(project.forks_count, 'fork')}, last activity on{' '}
      <Day at={project.last_activity_at} />
    </p>
  </>
);

/** `1 star`, `2 stars`. */
export const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;
