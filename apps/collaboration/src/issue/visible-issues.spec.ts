import { Access, type AccessLevel, type Caller } from '@moothall/contracts';
import type { IssueDocument } from './issue.schema';
import { isHiddenFrom, notHiddenFrom } from './visible-issues';

const user = (id: number, over: Partial<Caller> = {}) => ({ id, isAdmin: false, ...over }) as Caller;
const issue = { confidential: true, authorId: 1, assigneeIds: [2] } as IssueDocument;

describe('a confidential issue', () => {
  it.each<[string, Caller | undefined, AccessLevel, boolean]>([
    ['nobody', undefined, Access.None, true],
    ['a guest', user(3), Access.Guest, true],
    ['its author', user(1), Access.None, false],
    ['an assignee', user(2), Access.None, false],
    ['a reporter', user(3), Access.Reporter, false],
    ['an administrator', user(3, { isAdmin: true }), Access.None, false],
  ])('%s: same in lists as alone', (_, caller, level, isHidden) => {
    expect(isHiddenFrom(issue, caller, level)).toBe(isHidden);
    expect(isHiddenFrom({ ...issue, confidential: false }, caller, level)).toBe(false);
    const filter = notHiddenFrom(caller, level) as { $or?: Record<string, unknown>[]; confidential?: boolean };
    const alternatives = filter.$or ?? [filter as Record<string, unknown>];
    const isListed = alternatives.some(({ confidential = true, authorId = 1, assigneeIds = 2 }) =>
      Boolean(confidential && authorId === 1 && assigneeIds === 2),
    );
    expect(isListed).toBe(!isHidden);
  });
});
