import { Access, type Caller, type ProjectRef, type Visibility } from '@moothall/contracts';
import type { SnippetDocument } from './snippet.schema';
import { isSnippetVisible } from './visible-snippets';

const user = (id: number, over: Partial<Caller> = {}) => ({ id, isAdmin: false, isExternal: false, ...over }) as Caller;
const project = (accessLevel: number) => ({ accessLevel }) as ProjectRef;

describe('a snippet', () => {
  it.each<[Visibility, string, Caller | undefined, ProjectRef | undefined, boolean]>([
    ['public', 'nobody', undefined, undefined, true],
    ['internal', 'nobody', undefined, undefined, false],
    ['internal', 'a user', user(2), undefined, true],
    ['internal', 'an external user', user(2, { isExternal: true }), undefined, false],
    ['private', 'a user', user(2), project(Access.None), false],
    ['private', 'its author', user(1), undefined, true],
    ['private', 'a member', user(2), project(Access.Guest), true],
    ['private', 'an administrator', user(2, { isAdmin: true }), undefined, true],
  ])('that is %s is seen by %s: %p', (visibility, _, caller, where, expected) =>
    expect(isSnippetVisible({ visibility, authorId: 1 } as SnippetDocument, caller, where)).toBe(expected),
  );
});
