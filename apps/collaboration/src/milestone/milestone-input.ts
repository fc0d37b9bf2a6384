import type { createProjectMilestone, ParsedOf, updateProjectMilestone } from '@moothall/contracts';
import type { MilestoneChange } from './milestone.repository';
import type { MilestoneDocument } from './milestone.schema';

type Creation = Omit<ParsedOf<typeof createProjectMilestone>, 'id'>;
type Change = Omit<ParsedOf<typeof updateProjectMilestone>, 'id' | 'milestone_id'>;

const states = { close: 'closed', activate: 'active' } as const;

export const newMilestoneOf = (
  input: Creation,
): Pick<MilestoneDocument, 'title' | 'description' | 'startDate' | 'dueDate'> => ({
  title: input.title.trim(),
  description: input.description ?? null,
  startDate: input.start_date ?? null,
  dueDate: input.due_date ?? null,
});

export const milestoneChangeOf = (input: Change): MilestoneChange => ({
  ...(input.title !== undefined && { title: input.title.trim() }),
  ...(input.description !== undefined && { description: input.description }),
  ...(input.start_date !== undefined && { startDate: input.start_date }),
  ...(input.due_date !== undefined && { dueDate: input.due_date }),
  ...(input.state_event !== undefined && { state: states[input.state_event] }),
});
