import type { SubjectName } from '../matrix';
import { makeEpics, makeGroups } from './groups';
import { makePeople, type People } from './people';
import { makeSnippets, makeUsers } from './personal';
import { makeIssues, makeProjects } from './projects';
import { type Records, recordsOf } from './send';

export type { Records } from './send';

export interface World {
  tokens: People['tokens'];
  /** Ids of users, by role. */
  ids: People['ids'];
  /** The records of each subject in each state. */
  records: { [subject in SubjectName]: { [state: string]: Records } };
}

/** Users in every role, and the subjects in every state, each with one record of each kind. */
export async function makeWorld(): Promise<World> {
  const people = await makePeople();
  const [project, group] = [await makeProjects(people), await makeGroups(people)];
  return {
    ...{ tokens: people.tokens, ids: people.ids },
    records: {
      ...{ project, group, issue: await makeIssues(project), epic: await makeEpics(group) },
      ...{ user: await makeUsers(people), snippet: await makeSnippets(people), instance: { here: recordsOf({}) } },
    },
  };
}
