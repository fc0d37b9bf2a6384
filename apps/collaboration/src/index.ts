import type { ServiceDefinition } from '@moothall/service';
import { CollaborationModule } from './collaboration.module';

/** Issues and their related records: notes, labels, milestones, epics, awards, statistics. */
export const service: ServiceDefinition = { name: 'collaboration', module: CollaborationModule };
