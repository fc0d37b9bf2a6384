import type { z } from 'zod';
import type { Ability } from './ability';
import { type AccessLevel, type Feature, type GroupRule, onGroup, onProject, type ProjectRule } from './access';
import { groupRef, projectRef } from './fields';

/** Who may do something below a project or group. */
export type ParentRule = ProjectRule | GroupRule;

/**
 * Where operations live that projects and groups have alike: badges, members and the like are declared once, as a
 * function of the parent, and made for both.
 */
export interface Parent<R extends ParentRule> {
  /** As names of operations have it: `projects.project-badges.list`. */
  kind: 'project' | 'group';
  path: '/projects/:id' | '/groups/:id';
  ref: { id: z.ZodString };
  /** Groups have no features: what they own is open to all who read them. */
  on<N extends boolean = false>(rule?: {
    level?: AccessLevel;
    anonymous?: N;
    ability?: Ability;
    feature?: Feature | readonly Feature[];
  }): R & { anonymous: N };
}

export const ofProjects: Parent<ProjectRule> = {
  kind: 'project',
  path: '/projects/:id',
  ref: projectRef,
  on: onProject,
};
export const ofGroups: Parent<GroupRule> = { kind: 'group', path: '/groups/:id', ref: groupRef, on: onGroup };
