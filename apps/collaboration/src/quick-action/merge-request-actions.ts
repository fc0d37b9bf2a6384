import { Access } from '@moothall/contracts';
import { planTitle, withDraft, withoutDraft } from '../merge-request/record/draft';
import type { MergeRequestDocument } from '../merge-request/record/merge-request.schema';
import { openKeyOf } from '../merge-request/record/open-key';
import { editorActions, issuableActions, personalActions } from './issuable-actions';
import { action, type QuickActions } from './quick-action';

const edited = editorActions<MergeRequestDocument>({
  noun: 'merge request',
  closing: ({ state }) => (state === 'opened' ? { openKey: null, autoMerge: null } : undefined),
  reopening: (current) =>
    current.state === 'closed' ? { openKey: openKeyOf(current), mergeStatus: 'unchecked' } : undefined,
  titling: planTitle,
});

/** A draft becomes ready by any of these commands. */
const draft = action<MergeRequestDocument>('editor', (current) =>
  edited.retitle(current, current.isDraft ? withoutDraft(current.title) : withDraft(current.title)),
);

export const mergeRequestActions: QuickActions<MergeRequestDocument> = {
  editorLevel: Access.Developer,
  authorsEdit: true,
  actions: {
    ...edited.actions,
    ...issuableActions,
    ...personalActions('merge request'),
    draft,
    wip: draft,
    ready: action('editor', (current) => edited.retitle(current, withoutDraft(current.title))),
  },
};
