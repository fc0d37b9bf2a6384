import {
  createGroupHook,
  deleteGroupHook,
  type GroupHook,
  getGroupHook,
  getGroupHookEvent,
  groupHookSwitches,
  listGroupHookEvents,
  listGroupHooks,
  resendGroupHookEvent,
  testGroupHook,
  updateGroupHook,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { WebhookOperations, WebhookTools } from './webhook-operations';

@HandlesEach({
  list: listGroupHooks,
  get: getGroupHook,
  create: createGroupHook,
  update: updateGroupHook,
  delete: deleteGroupHook,
  test: testGroupHook,
  listEvents: listGroupHookEvents,
  getEvent: getGroupHookEvent,
  resend: resendGroupHookEvent,
})
@Controller()
export class GroupHookOperations extends WebhookOperations<GroupHook> {
  constructor(tools: WebhookTools) {
    super(tools, groupHookSwitches);
  }
}
