import type { Issuable } from './issuable';
import { type IssuablePatch, planChange } from './plan-change';

const current = {
  title: 'Old',
  description: null,
  state: 'opened',
  labelIds: [1, 2],
  assigneeIds: [7],
  milestoneId: 3,
  confidential: false,
  discussionLocked: null,
} as unknown as Issuable;
const names = { username: (id: number) => `user${id}`, milestone: (id: number) => `m${id}` };
const plan = (patch: IssuablePatch) => planChange(current, patch, names, 'issue');

describe('a plan of a change', () => {
  // Hundreds of thousands of labels held all services up.
  it('is made in time that grows with the labels', () => {
    const labelIds = Array.from({ length: 300_000 }, (_, at) => at + 1);
    expect(plan({ labelIds }).addedLabelIds).toHaveLength(299_998);
    const without = labelIds.slice(0, -1);
    expect(plan({ labelIds, removeLabelIds: without }).set.labelIds).toEqual([300_000]);
  });

  it.each<[string, IssuablePatch, Record<string, unknown>, string[]]>([
    ['title', { title: 'New' }, { title: 'New' }, ['changed title from **{-Old-}** to **{+New+}**']],
    ['description', { description: 'x' }, { description: 'x' }, ['changed the description']],
    ['milestone', { milestoneId: 4 }, { milestoneId: 4 }, ['changed milestone to %"m4"']],
    ['no milestone', { milestoneId: null }, { milestoneId: null }, ['removed milestone']],
    ['due date', { dueDate: '2020-10-15' }, { dueDate: '2020-10-15' }, ['changed due date to October 15, 2020']],
    ['weight', { weight: 3 }, { weight: 3 }, ['set weight to **3**']],
    ['secrecy', { confidential: true }, { confidential: true }, ['made the issue confidential']],
    ['lock', { discussionLocked: true }, { discussionLocked: true }, ['locked this issue']],
    ['state', { state: 'closed' }, { state: 'closed' }, ['closed']],
    ['people', { assigneeIds: [8] }, { assigneeIds: [8] }, ['assigned to @user8 and unassigned @user7']],
    ['what nobody is told of', { silent: { epicId: 1 } }, { epicId: 1 }, []],
  ])('tells of a new %s', (_, patch, set, notes) => expect(plan(patch)).toMatchObject({ set, notes }));

  it('changes nothing where all is so already', () =>
    expect(plan({ title: 'Old', state: 'opened', assigneeIds: [7], labelIds: [1, 2], milestoneId: 3 })).toEqual({
      set: {},
      notes: [],
      addedLabelIds: [],
      removedLabelIds: [],
    }));

  it.each<[IssuablePatch, number[], number[], number[]]>([
    [{ addLabelIds: [2, 3] }, [1, 2, 3], [3], []],
    [{ removeLabelIds: [2, 5] }, [1], [], [2]],
    [{ labelIds: [4] }, [4], [4], [1, 2]],
    [{ labelIds: [4], addLabelIds: [5], removeLabelIds: [4] }, [5], [5], [1, 2]],
  ])('brings labels to what %j asks for', (patch, labelIds, addedLabelIds, removedLabelIds) =>
    expect(plan(patch)).toMatchObject({ set: { labelIds }, addedLabelIds, removedLabelIds }),
  );
});
