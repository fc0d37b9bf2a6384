import { type Issuable, mostLabels } from './issuable';
import { firstChanges, type IssuablePatch, planChange } from './plan-change';

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
/** Events in short form, as `add label 3`. */
const summarize = (changes: ReturnType<typeof firstChanges>) =>
  changes.map((change) => `${change.kind} ${Object.values(change.fields).join(' ')}`.trim());

describe('a plan of a change', () => {
  // Hundreds of thousands of labels blocked all services.
  it('is computed in time linear in the number of labels', () => {
    const labelIds = Array.from({ length: 300_000 }, (_, at) => at + 1);
    const many = { ...current, labelIds };
    expect(planChange(many, { labelIds: labelIds.map((id) => -id) }, names, 'issue').changes).toHaveLength(600_000);
    const without = labelIds.slice(0, -1);
    expect(planChange(many, { removeLabelIds: without }, names, 'issue').set.labelIds).toEqual([300_000]);
  });

  it('refuses more labels than a record may have; a record with more may lose some', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
    expect(plan({ labelIds: ids(mostLabels) }).set.labelIds).toHaveLength(mostLabels);
    const refusal = `are too many (maximum is ${mostLabels})`;
    expect(() => plan({ labelIds: ids(mostLabels + 1) })).toThrow(refusal);
    const full = { ...current, labelIds: ids(mostLabels + 5) };
    expect(() => planChange(full, { addLabelIds: [mostLabels + 6] }, names, 'issue')).toThrow(refusal);
    expect(planChange(full, { removeLabelIds: [1] }, names, 'issue').set.labelIds).toHaveLength(mostLabels + 4);
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
    ['a silent field', { silent: { epicId: 1 } }, { epicId: 1 }, []],
  ])('has a note about a new %s', (_, patch, set, notes) => expect(plan(patch)).toMatchObject({ set, notes }));

  it('changes nothing where all is so already', () =>
    expect(plan({ title: 'Old', state: 'opened', assigneeIds: [7], labelIds: [1, 2], milestoneId: 3 })).toEqual({
      set: {},
      notes: [],
      changes: [],
    }));

  it.each<[IssuablePatch, number[], string[]]>([
    [{ addLabelIds: [2, 3] }, [1, 2, 3], ['label 3 add']],
    [{ removeLabelIds: [2, 5] }, [1], ['label 2 remove']],
    [{ labelIds: [4] }, [4], ['label 4 add', 'label 1 remove', 'label 2 remove']],
    [
      { labelIds: [4], addLabelIds: [5], removeLabelIds: [4] },
      [5],
      ['label 5 add', 'label 1 remove', 'label 2 remove'],
    ],
  ])('sets labels to those of %j', (patch, labelIds, changes) => {
    const { set, ...planned } = plan(patch);
    expect(set).toEqual({ labelIds });
    expect(summarize(planned.changes)).toEqual(changes);
  });

  it.each<[IssuablePatch, string[]]>([
    [{ milestoneId: 4 }, ['milestone 4 add']],
    [{ milestoneId: null }, ['milestone 3 remove']],
    [{ weight: 0 }, ['weight 0']],
    [{ state: 'closed' }, ['state closed']],
    [{ state: 'merged' }, ['state merged']],
    [{ weight: 2, state: 'closed' }, ['weight 2', 'state closed']],
    [{ title: 'New', silent: { epicId: 1 } }, []],
  ])('has events for %j', (patch, changes) => expect(summarize(plan(patch).changes)).toEqual(changes));

  it('has events for a removed weight and a reopened record', () => {
    const closed = { ...current, weight: 2, state: 'closed' } as Issuable;
    const { changes } = planChange(closed, { weight: null, state: 'opened' }, names, 'issue');
    expect(summarize(changes)).toEqual(['weight', 'state reopened']);
  });

  it('has events for the first values of a record', () => {
    expect(summarize(firstChanges({ ...current, weight: 5 } as Issuable))).toEqual([
      'label 1 add',
      'label 2 add',
      'milestone 3 add',
      'weight 5',
    ]);
    expect(firstChanges({ ...current, labelIds: [], milestoneId: null })).toEqual([]);
  });
});
