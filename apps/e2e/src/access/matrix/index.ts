import type { Rule } from './access-case';
import { administration } from './administration';
import { confidential } from './confidential';
import { groupReading } from './group-reading';
import { groupWriting } from './group-writing';
import { instance } from './instance';
import { personal } from './personal';
import { projectCode } from './project-code';
import { projectReading } from './project-reading';
import { projectSetup } from './project-setup';
import { projectSpecial } from './project-special';
import { projectTalk } from './project-talk';

export type { AccessCase, Rule } from './access-case';
export { type Cell, cellsOf } from './cells';
export { operationNamed } from './operation-named';
export { type SubjectName, subjectNamed, subjects } from './subjects';

/** The order is fixed: the part that `npm test` requests depends on it. */
export const rules: Rule[] = [
  ...projectReading,
  ...projectTalk,
  ...projectCode,
  ...projectSetup,
  ...administration,
  ...groupReading,
  ...groupWriting,
  ...confidential,
  ...projectSpecial,
  ...personal,
  ...instance,
];
