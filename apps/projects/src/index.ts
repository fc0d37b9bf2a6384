import type { ServiceDefinition } from '@moothall/service';
import { ProjectsModule } from './projects.module';
import { projectsSettings } from './settings/settings';

/** Groups, projects, members and the settings of the instance. */
export const service: ServiceDefinition = { name: 'projects', module: ProjectsModule, settings: projectsSettings };
export { projectsSettings } from './settings/settings';
