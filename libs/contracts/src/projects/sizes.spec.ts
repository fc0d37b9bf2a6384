import type { z } from 'zod';
import { addGroupMember, createProject, createSchedule, createScheduleVariable, forkProject, updateGroup } from '..';
import type { Operation } from '../operation';

const id = '1';
const large = 'x'.repeat(10_001);
const takes = ({ input }: Operation, value: object) => (input as z.ZodType).safeParse(value).success;

// With some megabytes each, they made a list of public projects gigabytes large.
describe('fields in lists have a size', () => {
  it.each<[string, Operation, object, object]>([
    ['topics', createProject, { path: 'p', topics: ['a'] }, { topics: Array(101).fill('a') }],
    ['a topic', createProject, { path: 'p', tag_list: ['a'] }, { tag_list: [large] }],
    ['a template', createProject, { path: 'p', merge_commit_template: 'a' }, { merge_commit_template: large }],
    ['a path of a file', createProject, { path: 'p', ci_config_path: 'a' }, { ci_config_path: large }],
    ['a description of a fork', forkProject, { id, description: 'a' }, { description: large }],
    ['a setting of a group', updateGroup, { id, default_branch: 'a' }, { default_branch: large }],
    [
      'a description of a schedule',
      createSchedule,
      { id, ref: 'a', cron: '@daily', description: 'a' },
      { description: large },
    ],
    [
      'a value of a variable',
      createScheduleVariable,
      { id, pipeline_schedule_id: 1, key: 'A', value: 'a' },
      { value: large },
    ],
    ['a list of ids', addGroupMember, { id, user_id: [1], access_level: 30 }, { user_id: Array(1001).fill(1) }],
  ])('as %s', (_name, operation, good, tooLarge) => {
    expect(takes(operation, good)).toBe(true);
    expect(takes(operation, { ...good, ...tooLarge })).toBe(false);
  });
});
