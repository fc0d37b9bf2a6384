import type { Project } from '@moothall/contracts';
import type { Address } from '../page/page';
import { Paging, pageOf, perPage } from './paging';
import { ProjectList } from './project-list';

/** Parameters of a list of projects: those of one page, the last used first. */
export const projectsAt = (address: Address) =>
  ({ order_by: 'last_activity_at', simple: true, page: pageOf(address), per_page: perPage }) as const;

/** The projects of a user or a group. */
export const NamespaceProjects = ({ projects, address }: { projects: readonly Project[]; address: Address }) => (
  <>
    <h2>Projects</h2>
    <ProjectList projects={projects} none="There are no projects to see." />
    <Paging address={address} shown={projects.length} />
  </>
);
