import {
  createGroupToken,
  createProjectToken,
  getGroupToken,
  getProjectToken,
  listGroupTokens,
  listProjectTokens,
  revokeGroupToken,
  revokeProjectToken,
  rotateGroupToken,
  rotateOwnGroupToken,
  rotateOwnProjectToken,
  rotateProjectToken,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { AccessTokens } from '../personal-access-token/token.repository';
import { ResourceBots } from './resource-bots';
import { ResourceTokens } from './resource-tokens';

@HandlesEach({
  list: listProjectTokens,
  get: getProjectToken,
  create: createProjectToken,
  revoke: revokeProjectToken,
  rotate: rotateProjectToken,
  rotateOwn: rotateOwnProjectToken,
})
@Controller()
export class ProjectTokens extends ResourceTokens {
  constructor(tokens: AccessTokens, bots: ResourceBots) {
    super(tokens, bots);
  }
}

@HandlesEach({
  list: listGroupTokens,
  get: getGroupToken,
  create: createGroupToken,
  revoke: revokeGroupToken,
  rotate: rotateGroupToken,
  rotateOwn: rotateOwnGroupToken,
})
@Controller()
export class GroupTokens extends ResourceTokens {
  constructor(tokens: AccessTokens, bots: ResourceBots) {
    super(tokens, bots);
  }
}
