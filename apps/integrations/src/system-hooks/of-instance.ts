import type { HookOwner } from '../hook/hook.repository';

export const ofInstance: HookOwner = { kind: 'system', parentId: null };
