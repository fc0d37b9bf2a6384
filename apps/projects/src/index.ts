import type { ServiceDefinition } from '@moothall/service';
import { ProjectsModule } from './projects.module';
import { projectsSettings } from './settings/settings';

/** Groups, projects, members and what an instance sets for all. */
export const service: ServiceDefinition = { name: 'projects', module: ProjectsModule, settings: projectsSettings };
export { projectsSettings } from './settings/settings';
