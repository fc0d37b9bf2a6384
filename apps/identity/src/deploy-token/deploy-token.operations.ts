import {
  type ContextOf,
  createGroupDeployToken,
  createProjectDeployToken,
  getGroupDeployToken,
  getProjectDeployToken,
  listDeployTokens,
  listGroupDeployTokens,
  listProjectDeployTokens,
  type ParsedOf,
  type ResultOf,
  revokeGroupDeployToken,
  revokeProjectDeployToken,
} from '@moothall/contracts';
import { Handles, HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { DeployTokens } from './deploy-token.repository';
import { viewDeployToken } from './deploy-token.view';
import { ParentDeployTokens } from './parent-deploy-tokens';

@HandlesEach({
  list: listProjectDeployTokens,
  get: getProjectDeployToken,
  create: createProjectDeployToken,
  revoke: revokeProjectDeployToken,
})
@Controller()
export class ProjectDeployTokens extends ParentDeployTokens {
  constructor(tokens: DeployTokens) {
    super(tokens);
  }
}

@HandlesEach({
  list: listGroupDeployTokens,
  get: getGroupDeployToken,
  create: createGroupDeployToken,
  revoke: revokeGroupDeployToken,
})
@Controller()
export class GroupDeployTokens extends ParentDeployTokens {
  constructor(tokens: DeployTokens) {
    super(tokens);
  }
}

@Controller()
export class AllDeployTokens {
  constructor(private readonly tokens: DeployTokens) {}

  @Handles(listDeployTokens)
  async list(
    _context: ContextOf<typeof listDeployTokens>,
    input: ParsedOf<typeof listDeployTokens>,
  ): Promise<ResultOf<typeof listDeployTokens>> {
    const { items, total } = await this.tokens.page(undefined, input);
    return { items: items.map(viewDeployToken), total };
  }
}
