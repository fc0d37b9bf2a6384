import {
  createProjectHook,
  deleteProjectHook,
  getProjectHook,
  getProjectHookEvent,
  listProjectHookEvents,
  listProjectHooks,
  type ProjectHook,
  resendProjectHookEvent,
  testProjectHook,
  updateProjectHook,
  webhookSwitches,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { WebhookOperations, WebhookTools } from './webhook-operations';

@HandlesEach({
  list: listProjectHooks,
  get: getProjectHook,
  create: createProjectHook,
  update: updateProjectHook,
  delete: deleteProjectHook,
  test: testProjectHook,
  listEvents: listProjectHookEvents,
  getEvent: getProjectHookEvent,
  resend: resendProjectHookEvent,
})
@Controller()
export class ProjectHookOperations extends WebhookOperations<ProjectHook> {
  constructor(tools: WebhookTools) {
    super(tools, webhookSwitches);
  }
}
