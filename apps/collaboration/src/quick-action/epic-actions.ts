import { Access } from '@moothall/contracts';
import type { EpicDocument } from '../epic/epic.schema';
import { editorActions, issuableActions, personalActions, relabel, unlabelAll } from './issuable-actions';
import { action, change, type QuickActions } from './quick-action';

const edited = editorActions<EpicDocument>({
  noun: 'epic',
  closing: () => ({}),
  reopening: () => ({}),
  titling: () => ({}),
});

export const epicActions: QuickActions<EpicDocument> = {
  editorLevel: Access.Reporter,
  authorsEdit: false,
  actions: {
    ...edited.actions,
    ...issuableActions,
    ...personalActions('epic'),
    unlabel: unlabelAll,
    remove_label: unlabelAll,
    relabel,
    confidential: action(
      'planner',
      change({ confidential: true }, { confidential: true }, 'Made this epic confidential.'),
    ),
  },
};
