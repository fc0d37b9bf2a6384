import { administration } from './administration';
import type { Rule } from './asked';
import { projectCode } from './project-code';
import { projectReading } from './project-reading';
import { projectSetup } from './project-setup';
import { projectTalk } from './project-talk';

export { type Asked, type Rule, roles, states } from './asked';

/** In one order: the part that `npm test` asks goes by place. */
export const rules: Rule[] = [...projectReading, ...projectTalk, ...projectCode, ...projectSetup, ...administration];
